/** Interrupts that meet waits, timed waits, notifications, sleeps, joins and questions. */
public class Wakening {
    static final Object lock = new Object();
    static final StringBuffer seen = new StringBuffer();

    static void waits(long time) {
        synchronized (lock) {
            try {
                if (time == 0) lock.wait(); else lock.wait(time);
                seen.append('w');
            } catch (InterruptedException e) {
                seen.append('i');
            }
        }
    }

    static void sleeps() {
        try { Thread.sleep(5); seen.append('s'); } catch (InterruptedException e) { seen.append('i'); }
    }

    public static void main(String[] args) throws Exception {
        String plan = args[0];
        Thread first = new Thread(() -> {
            for (char step : plan.toCharArray()) {
                switch (step) {
                    case 'w' -> waits(0);
                    case 't' -> waits(10);
                    case 's' -> sleeps();
                    case 'a' -> { if (Thread.interrupted()) seen.append('y'); }
                    case 'l' -> { synchronized (lock) { seen.append('l'); } }
                }
            }
        });
        Thread second = new Thread(() -> {
            synchronized (lock) { lock.notify(); }
        });
        first.start();
        second.start();
        first.interrupt();
        if (args.length > 1) {
            try { first.join(args[1].length()); } catch (InterruptedException e) { seen.append('j'); }
            first.interrupt();
        }
        first.join();
        second.join();
        System.out.println(seen);
    }
}
