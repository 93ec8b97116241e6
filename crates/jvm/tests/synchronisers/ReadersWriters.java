import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A pair of values under a read-write lock. */
public class ReadersWriters {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int left, right;
    static String seen = "";

    static void read() {
        lock.readLock().lock();
        try {
            if (left != right) throw new AssertionError(left + " " + right);
        } finally {
            lock.readLock().unlock();
        }
    }

    static void write() {
        lock.writeLock().lock();
        try { left++; right++; } finally { lock.writeLock().unlock(); }
    }

    /** Writes, and reads what it wrote before others can write. */
    static void downgrade() {
        lock.writeLock().lock();
        int mine;
        try {
            mine = ++left;
            right++;
            lock.readLock().lock();
        } finally {
            lock.writeLock().unlock();
        }
        try {
            if (left != mine) throw new AssertionError("overwritten");
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Takes the write lock while it has the read lock: waits for itself. */
    static void upgrade() {
        lock.readLock().lock();
        lock.writeLock().lock();
    }

    static void tryWrite() {
        if (lock.writeLock().tryLock()) {
            try { left++; right++; } finally { lock.writeLock().unlock(); }
        } else {
            synchronized (ReadersWriters.class) { seen += "busy "; }
        }
    }

    static void patientWrite() {
        try {
            if (lock.writeLock().tryLock(1, TimeUnit.SECONDS)) {
                try { left++; right++; } finally { lock.writeLock().unlock(); }
            } else {
                synchronized (ReadersWriters.class) { seen += "late "; }
            }
        } catch (InterruptedException e) {
            synchronized (ReadersWriters.class) { seen += "interrupted "; }
        }
    }

    static void act(String what) {
        switch (what) {
            case "read" -> read();
            case "read2" -> { lock.readLock().lock(); read(); lock.readLock().unlock(); }
            case "write" -> write();
            case "write2" -> { lock.writeLock().lock(); write(); lock.writeLock().unlock(); }
            case "downgrade" -> downgrade();
            case "upgrade" -> upgrade();
            case "try" -> tryWrite();
            case "timed" -> patientWrite();
            case "forget" -> lock.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[args.length];
        for (int i = 0; i < args.length; i++) {
            String what = args[i];
            threads[i] = new Thread(() -> act(what));
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println(seen + left + " " + right + " " + lock.getReadLockCount() + " " + lock.isWriteLocked());
    }
}
