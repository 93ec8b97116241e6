//@ class hidden
//@ verdict bug
/** A thread is renamed while it uses its name. */
public class ThreadRenamed {
    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            assert Thread.currentThread().getName().equals("worker"); //~ assertion
        }, "worker");
        worker.start();
        worker.setName("renamed");
        worker.join();
    }
}
