//@ class hidden
//@ verdict bug
import java.util.HashMap;
import java.util.List;
import java.util.ArrayList;
import java.util.Map;

/** A key whose hash changes while it is put is not found any more. */
public class HashOfKeyChanges {
    public static void main(String[] args) throws InterruptedException {
        List<Integer> key = new ArrayList<>();
        Map<List<Integer>, String> map = new HashMap<>();
        Thread other = new Thread(() -> key.add(5));
        other.start();
        map.put(key, "here"); //~ exception
        other.join();
        assert map.containsKey(key); //~ assertion
    }
}
