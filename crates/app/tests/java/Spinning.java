public class Spinning {
    static volatile boolean ready;
    public static void main(String[] args) throws Exception {
        Thread waiter = new Thread(() -> { while (!ready) { Thread.onSpinWait(); } }, "waiter");
        waiter.start();
        waiter.join();
    }
}
