//@ class races
//@ verdict ok
import java.util.concurrent.FutureTask;

/** The result of a future comes with all that was done before. */
public class FuturePublishes {
    static int data;

    public static void main(String[] args) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> data = 4);
        Thread worker = new Thread(task);
        worker.start();
        assert task.get() == 4 && data == 4;
        data++;
        worker.join();
    }
}
