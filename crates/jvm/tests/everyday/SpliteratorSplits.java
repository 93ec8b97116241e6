//@ class natives
//@ verdict bug
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Spliterator;

/** A spliterator is not for two threads. */
public class SpliteratorSplits {
    public static void main(String[] args) throws InterruptedException {
        Spliterator<Integer> all = Arrays.asList(1, 2).spliterator();
        ArrayList<Integer> here = new ArrayList<>();
        ArrayList<Integer> there = new ArrayList<>();
        Thread other = new Thread(() -> all.tryAdvance(there::add));
        other.start();
        all.tryAdvance(here::add);
        other.join();
        assert !here.equals(there); //~ assertion
    }
}
