import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Looking at what other threads are doing. */
public class States {
    static final Object monitor = new Object();
    static final ReentrantLock lock = new ReentrantLock();
    static final Semaphore permits = new Semaphore(0);
    static final CountDownLatch latch = new CountDownLatch(1);
    static final LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    static volatile boolean go;
    static int steps;

    interface Work {
        void run() throws Exception;
    }

    static Thread thread(Work work) {
        return new Thread(() -> {
            try {
                work.run();
            } catch (Exception exception) {
                System.out.print(exception.getClass().getSimpleName() + " ");
            }
        });
    }

    static void until(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            Thread.yield();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread other;
        switch (arguments[0]) {
            case "life" -> {
                other = thread(() -> steps++);
                System.out.print(other.getState() + " ");
                other.start();
                until(other, Thread.State.TERMINATED);
                System.out.print(steps + " ");
            }
            case "wait" -> {
                other = thread(() -> {
                    synchronized (monitor) {
                        monitor.wait();
                    }
                });
                other.start();
                until(other, Thread.State.WAITING);
                synchronized (monitor) {
                    monitor.notify();
                }
            }
            case "monitor" -> {
                other = thread(() -> {
                    synchronized (monitor) {
                        steps++;
                    }
                });
                synchronized (monitor) {
                    other.start();
                    until(other, Thread.State.BLOCKED);
                    steps++;
                }
            }
            case "reacquire" -> {
                other = thread(() -> {
                    synchronized (monitor) {
                        monitor.wait();
                    }
                });
                other.start();
                until(other, Thread.State.WAITING);
                synchronized (monitor) {
                    monitor.notify();
                    System.out.print(other.getState() + " ");
                }
            }
            case "lock" -> {
                other = thread(() -> {
                    lock.lock();
                    lock.unlock();
                });
                lock.lock();
                other.start();
                until(other, Thread.State.WAITING);
                lock.unlock();
            }
            case "semaphore" -> {
                other = thread(() -> permits.acquire());
                other.start();
                until(other, Thread.State.WAITING);
                permits.release();
            }
            case "latch" -> {
                other = thread(() -> latch.await());
                other.start();
                until(other, Thread.State.WAITING);
                latch.countDown();
            }
            case "queue" -> {
                other = thread(() -> queue.take());
                other.start();
                until(other, Thread.State.WAITING);
                other.interrupt();
            }
            case "park" -> {
                other = thread(() -> LockSupport.park());
                other.start();
                until(other, Thread.State.WAITING);
                LockSupport.unpark(other);
            }
            case "sleep" -> {
                other = thread(() -> Thread.sleep(1000));
                other.start();
                Thread.State state = other.getState();
                System.out.print((state == Thread.State.TIMED_WAITING) + " ");
                other.interrupt();
            }
            case "join" -> {
                Thread third = thread(() -> {
                    while (!go) {
                        Thread.onSpinWait();
                    }
                });
                other = thread(() -> third.join());
                third.start();
                other.start();
                until(other, Thread.State.WAITING);
                go = true;
            }
            default -> {
                other = thread(() -> steps = 1);
                other.start();
                Thread.State state = other.getState();
                System.out.print(state + " ");
            }
        }
        other.join();
        System.out.print(other.getState());
    }
}
