//@ class cuts
//@ verdict bug
//@ limited
/** A watchdog sleeps and counts for ever; the worker fails. */
public class SleepsForEver {
    static volatile int beats;
    static volatile int work;

    public static void main(String[] args) throws InterruptedException {
        Thread watchdog = new Thread(() -> {
            try {
                while (true) {
                    beats++;
                    Thread.sleep(10);
                }
            } catch (InterruptedException e) {
                work = -1;
            }
        });
        watchdog.setDaemon(true);
        watchdog.start();
        work++;
        assert beats == 0; //~ assertion
    }
}
