//@ class hidden
//@ verdict ok
import java.util.concurrent.CopyOnWriteArrayList;

/** An iterator over a `CopyOnWriteArrayList` sees the list as it was. */
public class SnapshotOfListeners {
    public static void main(String[] args) throws InterruptedException {
        CopyOnWriteArrayList<Integer> list = new CopyOnWriteArrayList<>(new Integer[] {1});
        Thread other = new Thread(() -> {
            list.add(2);
            list.remove(Integer.valueOf(1));
        });
        other.start();
        int sum = 0;
        for (int each : list) {
            sum += each;
        }
        other.join();
        assert sum == 1 || sum == 3 || sum == 2;
        assert list.addIfAbsent(1);
    }
}
