/** An interrupt comes before, during or after a sleep. This one is wrong. */
public class SleeperBug {
    static volatile boolean stop;
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            try {
                Thread.sleep(100000);
            } catch (InterruptedException e) {
                stop = true;
            }
            if (!stop) throw new AssertionError("slept");
        });
        t.start();
        t.interrupt();
        t.join();
    }
}
