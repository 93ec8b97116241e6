import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Two threads that first use a class, or one that waits; the first argument says which. */
public class Rules {
    static class Numbers {
        static int x = 5;
        static final Object LOCK = new Object();
        static final AtomicInteger COUNT = new AtomicInteger(-1);
    }

    static class Checked {
        final int value;

        Checked(int value) {
            assert value >= 0;
            this.value = value;
        }
    }

    enum Colour {
        RED(1), GREEN(2);

        final int number;

        Colour(int number) {
            this.number = number;
        }
    }

    static volatile int seen;

    /** Its initialiser looks at what others change. */
    static class Looking {
        static final int FOUND = seen;
    }

    /** Its initialiser fails. */
    static class Failing {
        static final int[] NONE = new int[-1];
    }

    static class Left {
        static int value = 1;
        static int other = Right.value;
    }

    static class Right {
        static int value = 2;
        static int other = Left.value;
    }

    static boolean ready;

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "numbers": twice(() -> { synchronized (Numbers.LOCK) { Numbers.x++; } }); break;
            case "assertions": twice(() -> new Checked(3)); break;
            case "enumeration": twice(() -> Colour.valueOf("GREEN")); break;
            case "looking": looking(); break;
            case "failing": failing(); break;
            case "cycle": cycle(); break;
            case "wait": waits(); break;
            case "wait-in-loop": waitsInLoop(); break;
            case "await": awaits(); break;
            case "park": parks(); break;
            default: throw new IllegalArgumentException(arguments[0]);
        }
        if (arguments[0].equals("numbers")) {
            System.out.println(Numbers.x + " " + Numbers.COUNT);
        }
    }

    static void twice(Runnable task) throws InterruptedException {
        Thread one = new Thread(task);
        Thread two = new Thread(task);
        one.start();
        two.start();
        one.join();
        two.join();
    }

    static void looking() throws InterruptedException {
        Thread other = new Thread(() -> seen = 1);
        other.start();
        System.out.println(Looking.FOUND);
        other.join();
    }

    static void failing() {
        try {
            System.out.println(Failing.NONE.length);
        } catch (ExceptionInInitializerError error) {
            System.out.println(error.getCause().getClass().getSimpleName());
        }
    }

    static void cycle() throws InterruptedException {
        Thread other = new Thread(() -> System.out.println(Left.other));
        other.start();
        System.out.println(Right.other);
        other.join();
    }

    static void signal(Object lock) {
        new Thread(() -> {
            synchronized (lock) {
                ready = true;
                lock.notify();
            }
        }).start();
    }

    static void waits() throws InterruptedException {
        Object lock = new Object();
        synchronized (lock) {
            signal(lock);
            lock.wait();
            System.out.println(ready);
        }
    }

    static void waitsInLoop() throws InterruptedException {
        Object lock = new Object();
        synchronized (lock) {
            signal(lock);
            while (!ready) {
                lock.wait();
            }
            System.out.println(ready);
        }
    }

    static void awaits() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        lock.lock();
        new Thread(() -> {
            lock.lock();
            ready = true;
            condition.signal();
            lock.unlock();
        }).start();
        condition.await();
        System.out.println(ready);
        lock.unlock();
    }

    static void parks() {
        Thread main = Thread.currentThread();
        new Thread(() -> {
            seen = 1;
            LockSupport.unpark(main);
        }).start();
        LockSupport.park();
        System.out.println(seen);
    }
}
