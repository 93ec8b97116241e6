import counterpoint.Input;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The same with guarded numbers that are objects, and locks of the library. */
public class UpdaterLocks {
    static final class Guarded {
        final Lock lock = new ReentrantLock();
        int number;
    }

    private final Guarded x = new Guarded();
    private final Guarded y = new Guarded();

    void change(boolean add) {
        Guarded chosen = Input.anyInt() == 1 ? x : y;
        chosen.lock.lock();
        try {
            if (add) {
                chosen.number = chosen.number + Input.anyInt();
            } else {
                chosen.number = Input.anyInt();
            }
        } finally {
            chosen.lock.unlock();
        }
    }

    void look(Guarded outer, Guarded inner, boolean multiply) {
        int wanted = Input.anyInt();
        outer.lock.lock();
        inner.lock.lock();
        if (x.number == wanted) {
            if (multiply) {
                y.number = y.number * x.number;
            } else {
                y.number = y.number + x.number;
            }
            x.number = 0;
        }
        if (y.number == wanted) {
            y.number = 0;
        }
        inner.lock.unlock();
        outer.lock.unlock();
    }

    public static void main(String[] args) {
        final UpdaterLocks shared = new UpdaterLocks();
        new Thread() {
            @Override
            public void run() {
                for (int round = 0; round < 2; round++) {
                    shared.change(false);
                }
            }
        }.start();
        new Thread() {
            @Override
            public void run() {
                shared.change(true);
            }
        }.start();
        new Thread() {
            @Override
            public void run() {
                shared.look(shared.x, shared.y, true);
            }
        }.start();
        for (int round = 0; round < 2; round++) {
            if (args.length > 0) {
                shared.look(shared.y, shared.x, false);
            } else {
                shared.look(shared.x, shared.y, false);
            }
        }
    }
}
