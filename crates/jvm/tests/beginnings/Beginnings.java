import java.util.concurrent.locks.LockSupport;

/** Threads that deal with one that another thread may or may not have started yet. */
public class Beginnings {
    static volatile int data;
    static Thread left, right;

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) {
        Thread late = new Thread(() -> data = 1);
        switch (arguments[0]) {
            case "join": race(late, () -> { join(late); System.out.print(data); }); break;
            case "timed-join": race(late, () -> {
                try {
                    late.join(5);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                System.out.print(data);
            }); break;
            case "alive": race(late, () -> System.out.print(late.isAlive())); break;
            case "state": race(late, () -> System.out.print(late.getState() == Thread.State.NEW)); break;
            case "until-alive": race(late, () -> {
                while (late.getState() == Thread.State.NEW) Thread.yield();
                System.out.print("started");
            }); break;
            case "interrupted": race(late, () -> System.out.print(late.isInterrupted())); late.interrupt(); break;
            case "interrupt": {
                Thread listener = new Thread(() -> System.out.print(Thread.interrupted()));
                race(listener, listener::interrupt);
                break;
            }
            case "unpark": {
                Thread parked = new Thread(LockSupport::park);
                race(parked, () -> LockSupport.unpark(parked));
                break;
            }
            case "twice": race(late, () -> {
                try {
                    late.start();
                    System.out.print("first");
                } catch (IllegalThreadStateException e) {
                    System.out.print("second");
                }
            }); break;
            case "cycle":
                left = new Thread(() -> join(right));
                right = new Thread(() -> join(left));
                left.start();
                right.start();
                break;
            default: throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** One thread is started while another deals with it. */
    static void race(Thread started, Runnable deals) {
        Thread other = new Thread(deals);
        other.start();
        try {
            started.start();
        } catch (IllegalThreadStateException e) {
            System.out.print("too late");
        }
    }
}
