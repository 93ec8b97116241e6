import counterpoint.Input;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Four different threads and the main thread on inputs, three shared numbers and two locks that are
 * taken in both orders. The first argument says whether the last thread writes its input or nothing,
 * the second one the kind of locks.
 */
public class SyntheticFour {
    int i;
    int j;
    int k;
    final Lock one = new ReentrantLock();
    final Lock two = new ReentrantLock();
    final boolean monitors;

    SyntheticFour(boolean monitors) {
        this.monitors = monitors;
    }

    void inOrder(Lock outer, Lock inner, Runnable work) {
        if (monitors) {
            synchronized (outer) {
                synchronized (inner) {
                    work.run();
                }
            }
            return;
        }
        outer.lock();
        inner.lock();
        work.run();
        inner.unlock();
        outer.unlock();
    }

    void compare() {
        i = Input.anyInt();
        int seenJ = j;
        int seenK = k;
        if (seenK + seenJ > i) {
            inOrder(one, two, () -> k = seenJ * 5);
        }
    }

    void add() {
        int wanted = Input.anyInt();
        int seen = i;
        if (wanted == seen + k) {
            j = wanted;
        }
    }

    void last(boolean keep) {
        int own = Input.anyInt();
        if (own > k % 48) {
            j = keep ? own : 0;
        }
    }

    public static void main(String[] args) {
        SyntheticFour shared = new SyntheticFour(args.length > 1);
        boolean keep = args[0].equals("keep");
        new Thread(shared::compare).start();
        new Thread(() -> shared.k = Input.anyInt()).start();
        new Thread(shared::add).start();
        new Thread(() -> shared.last(keep)).start();
        int seen = shared.i;
        shared.j = 1;
        if (Input.anyInt() > 10) {
            seen = shared.k;
        } else {
            shared.inOrder(shared.two, shared.one, () -> { });
        }
    }
}
