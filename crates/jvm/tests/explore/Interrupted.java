/** What an interrupt does to threads that sleep, join and wait. */
public class Interrupted {
    static String sleeper = "", joiner = "", waiter = "";

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "sleep" -> {
                Thread t = new Thread(() -> {
                    try { Thread.sleep(1000); sleeper = "slept"; }
                    catch (InterruptedException e) { sleeper = "woken " + Thread.currentThread().isInterrupted(); }
                });
                t.start();
                t.interrupt();
                t.join();
                System.out.println(sleeper);
            }
            case "join" -> {
                Thread main = Thread.currentThread();
                Thread t = new Thread(() -> { synchronized (Interrupted.class) { waiter = "done"; } });
                Thread u = new Thread(main::interrupt);
                t.start();
                u.start();
                try { t.join(); joiner = "joined"; } catch (InterruptedException e) { joiner = "interrupted"; }
                u.join();
                System.out.println(joiner);
            }
            case "timed" -> {
                Thread t = new Thread(() -> { synchronized (Interrupted.class) { waiter = "done"; } });
                t.start();
                t.join(10);
                System.out.println(t.isAlive() ? "late" : "ended");
            }
            case "self" -> {
                Thread t = new Thread(() -> {
                    Thread.currentThread().interrupt();
                    try { Thread.sleep(1); sleeper = "slept"; } catch (InterruptedException e) { sleeper = "woken"; }
                });
                t.start();
                t.join();
                System.out.println(sleeper);
            }
        }
    }
}
