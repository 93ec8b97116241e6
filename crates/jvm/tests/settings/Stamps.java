import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;

/** Stamped locks. */
public class Stamps {
    static final StampedLock lock = new StampedLock();
    static int x, y;
    static volatile int v;

    static void write() {
        long stamp = lock.writeLock();
        x++;
        y++;
        lock.unlockWrite(stamp);
    }

    static void read() {
        long stamp = lock.readLock();
        try {
            assert x == y;
        } finally {
            lock.unlockRead(stamp);
        }
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "writers" -> {
                Thread thread = new Thread(Stamps::write);
                thread.start();
                write();
                thread.join();
                System.out.print(x + " " + y);
            }
            case "reader" -> {
                Thread thread = new Thread(Stamps::write);
                thread.start();
                read();
                thread.join();
                System.out.print(x);
            }
            case "optimistic" -> {
                Thread thread = new Thread(() -> {
                    long stamp = lock.writeLock();
                    v = 1;
                    v = 2;
                    lock.unlockWrite(stamp);
                });
                thread.start();
                long stamp = lock.tryOptimisticRead();
                int first = v, second = v;
                boolean valid = stamp != 0 && lock.validate(stamp);
                assert !valid || first == second;
                thread.join();
                System.out.print(valid);
            }
            case "upgrade" -> {
                Runnable upgrade = () -> {
                    long stamp = lock.readLock();
                    long write = lock.tryConvertToWriteLock(stamp);
                    if (write == 0) {
                        lock.unlockRead(stamp);
                        write = lock.writeLock();
                    }
                    x++;
                    lock.unlock(write);
                };
                Thread thread = new Thread(upgrade);
                thread.start();
                upgrade.run();
                thread.join();
                System.out.print(x);
            }
            case "deadlock" -> {
                Runnable upgrade = () -> {
                    long stamp = lock.readLock();
                    long write = lock.writeLock();
                    lock.unlockWrite(write);
                    lock.unlockRead(stamp);
                };
                Thread thread = new Thread(upgrade);
                thread.start();
                thread.join();
                System.out.print("never");
            }
            case "timed" -> {
                Thread thread = new Thread(Stamps::write);
                thread.start();
                long before = System.nanoTime();
                long stamp = lock.tryReadLock(50, TimeUnit.MILLISECONDS);
                assert stamp != 0 || System.nanoTime() - before >= 50_000_000L;
                if (stamp != 0) lock.unlockRead(stamp);
                thread.join();
                System.out.print(stamp != 0);
            }
            case "interrupted" -> {
                long stamp = lock.writeLock();
                Thread thread = new Thread(() -> {
                    try {
                        lock.unlock(lock.readLockInterruptibly());
                        v = 1;
                    } catch (InterruptedException exception) {
                        v = 2;
                    }
                });
                thread.start();
                thread.interrupt();
                lock.unlockWrite(stamp);
                thread.join();
                System.out.print(v);
            }
            case "views" -> {
                Lock reading = lock.asReadLock(), writing = lock.asWriteLock();
                Thread thread = new Thread(() -> { writing.lock(); x++; writing.unlock(); });
                thread.start();
                boolean got = reading.tryLock();
                if (got) reading.unlock();
                writing.lock();
                x++;
                writing.unlock();
                thread.join();
                System.out.print(got + " " + x);
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
