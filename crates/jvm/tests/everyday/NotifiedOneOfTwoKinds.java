//@ class threads
//@ verdict bug
/** A notification can wake the wrong one of two kinds of waiters. */
public class NotifiedOneOfTwoKinds {
    static int full;

    static synchronized void put() throws InterruptedException {
        while (full == 1) {
            NotifiedOneOfTwoKinds.class.wait(); //~ deadlock
        }
        full = 1;
        NotifiedOneOfTwoKinds.class.notify();
    }

    static synchronized void take() throws InterruptedException {
        while (full == 0) {
            NotifiedOneOfTwoKinds.class.wait(); //~ deadlock
        }
        full = 0;
        NotifiedOneOfTwoKinds.class.notify();
    }

    interface Action {
        void run() throws InterruptedException;
    }

    static Thread start(Action action) {
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        });
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        start(NotifiedOneOfTwoKinds::take);
        start(NotifiedOneOfTwoKinds::take);
        start(NotifiedOneOfTwoKinds::put);
        put();
    }
}
