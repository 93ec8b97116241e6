//! The same for operations on threads, monitors, locks, conditions, semaphores, latches and stages of futures:
//! what a thread calls, and what another one does with the same thing meanwhile.

use super::cases::Case;

const LOCK: &str = "int x; final ReentrantLock l = new ReentrantLock();";
const OWNED: &str = "static class Open extends ReentrantLock { boolean has() { return getOwner() != null; } } \
                     final Open l = new Open();";
const BOTH: &str = "int x; final ReentrantReadWriteLock l = new ReentrantReadWriteLock();";
const OWNED_BOTH: &str = "static class Open extends ReentrantReadWriteLock { \
                          boolean has() { return getOwner() != null; } } final Open l = new Open();";
const PERMITS: &str = "int x; final Semaphore s = new Semaphore(2);";
const REDUCED: &str = "static class Open extends Semaphore { Open() { super(2); } \
                       void less() { reducePermits(1); } } final Open s = new Open();";
const LATCH: &str = "int x; final CountDownLatch l = new CountDownLatch(2);";
const CONDITION: &str = "int x; final ReentrantLock l = new ReentrantLock(); \
                         final Condition c = l.newCondition();";
const MONITOR: &str = "int x; final Object m = new Object();";
const THREAD: &str = "volatile int x; final Thread t = new Thread(() -> x = 1);";
const STAGE: &str = "int x; final CompletableFuture<Integer> f = new CompletableFuture<>(), \
                     g = new CompletableFuture<>();";
const SEES: &str = "l.lock(); seen = of(x++); l.unlock();";

/// Operations of threads and synchronisers.
#[rustfmt::skip]
pub const OPERATIONS: &[Case] = &[
    // Locks.
    ("java/util/concurrent/locks/ReentrantLock.lock", LOCK, "l.lock(); x++; l.unlock();", SEES),
    ("java/util/concurrent/locks/ReentrantLock.lockInterruptibly", LOCK, "l.lockInterruptibly(); x++; l.unlock();", SEES),
    ("java/util/concurrent/locks/ReentrantLock.tryLock()Z", LOCK, "if (l.tryLock()) { x++; l.unlock(); }", SEES),
    ("java/util/concurrent/locks/ReentrantLock.tryLock(J", LOCK, "if (l.tryLock(1, TimeUnit.SECONDS)) { x++; l.unlock(); }", SEES),
    ("java/util/concurrent/locks/ReentrantLock.unlock", LOCK, "l.lock(); l.unlock();", "seen = of(l.isLocked());"),
    ("java/util/concurrent/locks/ReentrantLock.isLocked", LOCK, "= l.isLocked()", "l.lock(); Pause.wide(); l.unlock();"),
    ("java/util/concurrent/locks/ReentrantLock$Sync.getOwner", OWNED, "= l.has()", "l.lock(); l.unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock.lock", BOTH, "l.readLock().lock(); int y = x; l.readLock().unlock(); seen = of(y);", "l.writeLock().lock(); x++; l.writeLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock.lockInterruptibly", BOTH, "l.readLock().lockInterruptibly(); int y = x; l.readLock().unlock(); seen = of(y);", "l.writeLock().lock(); x++; l.writeLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock.tryLock()Z", BOTH, "= l.readLock().tryLock()", "if (l.writeLock().tryLock()) l.writeLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock.tryLock(J", BOTH, "if (l.readLock().tryLock(1, TimeUnit.SECONDS)) { int y = x; l.readLock().unlock(); seen = of(y); }", "l.writeLock().lock(); x++; l.writeLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock.unlock", BOTH, "l.readLock().lock(); l.readLock().unlock();", "seen = of(l.getReadLockCount());"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock.lock", BOTH, "l.writeLock().lock(); x++; l.writeLock().unlock();", "l.readLock().lock(); seen = of(x); l.readLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock.lockInterruptibly", BOTH, "l.writeLock().lockInterruptibly(); x++; l.writeLock().unlock();", "l.readLock().lock(); seen = of(x); l.readLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock.tryLock()Z", BOTH, "= l.writeLock().tryLock()", "if (l.readLock().tryLock()) l.readLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock.tryLock(J", BOTH, "if (l.writeLock().tryLock(1, TimeUnit.SECONDS)) { x++; l.writeLock().unlock(); }", "l.readLock().lock(); seen = of(x); l.readLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock.unlock", BOTH, "l.writeLock().lock(); l.writeLock().unlock();", "seen = of(l.isWriteLocked());"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$Sync.isWriteLocked", BOTH, "= l.isWriteLocked()", "l.writeLock().lock(); l.writeLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$Sync.getReadLockCount", BOTH, "= l.getReadLockCount()", "l.readLock().lock(); l.readLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$Sync.getOwner", OWNED_BOTH, "= l.has()", "l.writeLock().lock(); l.writeLock().unlock();"),
    ("java/util/concurrent/locks/ReentrantReadWriteLock$Sync.getCount", BOTH, "= l.toString().contains(\"locks = 0, Read\")", "l.writeLock().lock(); l.writeLock().unlock();"),
    // Semaphores and latches.
    ("java/util/concurrent/Semaphore.acquire()V", PERMITS, "s.acquire();", "seen = of(s.availablePermits());"),
    ("java/util/concurrent/Semaphore.acquire(I)V", PERMITS, "s.acquire(2);", "seen = of(s.availablePermits());"),
    ("java/util/concurrent/Semaphore.acquireUninterruptibly()V", PERMITS, "s.acquireUninterruptibly();", "seen = of(s.tryAcquire(2)); s.release(2);"),
    ("java/util/concurrent/Semaphore.acquireUninterruptibly(I)V", PERMITS, "s.acquireUninterruptibly(2);", "seen = of(s.tryAcquire()); s.release(2);"),
    ("java/util/concurrent/Semaphore.tryAcquire()Z", PERMITS, "= s.tryAcquire()", "if (s.tryAcquire(2)) s.release(2);"),
    ("java/util/concurrent/Semaphore.tryAcquire(I)Z", PERMITS, "= s.tryAcquire(2)", "if (s.tryAcquire()) s.release();"),
    ("java/util/concurrent/Semaphore.tryAcquire(JL", PERMITS, "= s.tryAcquire(1, TimeUnit.MILLISECONDS)", "if (s.tryAcquire(2)) s.release(2);"),
    ("java/util/concurrent/Semaphore.tryAcquire(IJ", PERMITS, "= s.tryAcquire(2, 1, TimeUnit.MILLISECONDS)", "if (s.tryAcquire()) s.release();"),
    ("java/util/concurrent/Semaphore.release()V", PERMITS, "s.release();", "seen = of(s.tryAcquire(3));"),
    ("java/util/concurrent/Semaphore.release(I)V", PERMITS, "s.release(2);", "seen = of(s.tryAcquire(3));"),
    ("java/util/concurrent/Semaphore$Sync.drainPermits", PERMITS, "= s.drainPermits()", "s.release();"),
    ("java/util/concurrent/Semaphore$Sync.reducePermits", REDUCED, "s.less();", "seen = of(s.availablePermits());"),
    ("java/util/concurrent/Semaphore$Sync.getPermits", PERMITS, "= s.availablePermits()", "s.release();"),
    ("java/util/concurrent/CountDownLatch$Sync.getCount", LATCH, "= l.getCount()", "l.countDown();"),
    ("java/util/concurrent/CountDownLatch.countDown", LATCH, "l.countDown();", "seen = of(l.getCount());"),
    ("java/util/concurrent/CountDownLatch.await()V", LATCH, "l.countDown(); l.await(); seen = of(x);", "l.countDown(); x = 1;"),
    ("java/util/concurrent/CountDownLatch.await(J", LATCH, "l.countDown(); seen = of(l.await(1, TimeUnit.MILLISECONDS));", "l.countDown();"),
    // Conditions and monitors.
    ("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.await()V", CONDITION, "l.lock(); if (x == 0) { c.await(); seen = \"woken\"; } l.unlock();", "l.lock(); x = 1; c.signal(); l.unlock();"),
    ("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.await(J", CONDITION, "l.lock(); seen = of(c.await(1, TimeUnit.MILLISECONDS)); l.unlock();", "l.lock(); c.signal(); l.unlock();"),
    ("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.awaitNanos", CONDITION, "l.lock(); c.awaitNanos(100000); seen = of(x); l.unlock();", "l.lock(); x = 1; c.signal(); l.unlock();"),
    ("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.awaitUntil", CONDITION, "l.lock(); c.awaitUntil(new Date()); seen = of(x); l.unlock();", "l.lock(); x = 1; c.signal(); l.unlock();"),
    ("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.awaitUninterruptibly", CONDITION, "l.lock(); if (x == 0) { c.awaitUninterruptibly(); seen = \"woken\"; } l.unlock();", "l.lock(); x = 1; c.signal(); l.unlock();"),
    ("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.signal", CONDITION, "l.lock(); x = 1; c.signal(); l.unlock();", "l.lock(); if (x == 0) { c.await(); seen = \"woken\"; } l.unlock();"),
    ("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.signalAll", CONDITION, "l.lock(); x = 1; c.signalAll(); l.unlock();", "l.lock(); if (x == 0) { c.await(); seen = \"woken\"; } l.unlock();"),
    ("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.hasWaiters", CONDITION, "l.lock(); x = 1; seen = of(l.hasWaiters(c)); c.signal(); l.unlock();", "l.lock(); if (x == 0) c.await(); l.unlock();"),
    ("java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.getWaitQueueLength", CONDITION, "l.lock(); x = 1; seen = of(l.getWaitQueueLength(c)); c.signal(); l.unlock();", "l.lock(); if (x == 0) c.await(); l.unlock();"),
    ("java/lang/Object.wait(J", MONITOR, "synchronized (m) { if (x == 0) { m.wait(); seen = \"woken\"; } }", "synchronized (m) { x = 1; m.notify(); }"),
    ("java/lang/Object.wait(J", MONITOR, "synchronized (m) { m.wait(1); seen = of(x); }", "synchronized (m) { x = 1; m.notify(); }"),
    ("java/lang/Object.notify()V", MONITOR, "synchronized (m) { x = 1; m.notify(); }", "synchronized (m) { if (x == 0) { m.wait(); seen = \"woken\"; } }"),
    ("java/lang/Object.notifyAll", MONITOR, "synchronized (m) { x = 1; m.notifyAll(); }", "synchronized (m) { if (x == 0) { m.wait(); seen = \"woken\"; } }"),
    // Threads.
    ("java/lang/Thread.start()V", THREAD, "t.start();", "seen = of(t.getState() == Thread.State.NEW);"),
    ("java/lang/Thread.isAlive", THREAD, "= t.isAlive()", "t.start();"),
    ("java/lang/Thread.getState", THREAD, "= t.getState() == Thread.State.NEW", "t.start();"),
    ("java/lang/Thread.threadState", THREAD, "= t.getState() == Thread.State.NEW", "t.start();"),
    ("java/lang/Thread.getThreadGroup", THREAD, "t.start(); seen = of(t.getThreadGroup() == null);", "x = 2;"),
    ("java/lang/Thread.join(J", THREAD, "t.join(); seen = of(x);", "t.start();"),
    ("java/lang/Thread.join(J", THREAD, "t.start(); t.join(1); seen = of(x);", "x = 2;"),
    ("java/lang/Thread.interrupt", "volatile Thread o;", "if (o != null) o.interrupt();", "o = Thread.currentThread(); seen = of(Thread.interrupted());"),
    ("java/lang/Thread.interrupted", "volatile Thread o;", "if (o != null) o.interrupt();", "o = Thread.currentThread(); seen = of(Thread.interrupted());"),
    ("java/lang/Thread.isInterrupted", "volatile Thread o;", "if (o != null) o.interrupt();", "o = Thread.currentThread(); seen = of(o.isInterrupted());"),
    ("java/lang/Thread.yield", THREAD, "Thread.yield(); seen = of(x);", "x = 2;"),
    ("java/lang/Thread.sleep", "volatile Thread o;", "if (o != null) o.interrupt();", "o = Thread.currentThread(); try { Thread.sleep(1); seen = \"slept\"; } catch (InterruptedException e) { seen = \"woken\"; }"),
    ("java/lang/ThreadGroup.activeCount", "final ThreadGroup g = new ThreadGroup(\"g\"); final Thread t = new Thread(g, () -> { });", "= g.activeCount()", "t.start();"),
    ("java/lang/ThreadGroup.enumerate([Ljava/lang/Thread;)I", "final ThreadGroup g = new ThreadGroup(\"g\"); final Thread t = new Thread(g, () -> { });", "= g.enumerate(new Thread[3])", "t.start();"),
    ("java/lang/ThreadGroup.enumerate([Ljava/lang/Thread;Z", "final ThreadGroup g = new ThreadGroup(\"g\"); final Thread t = new Thread(g, () -> { });", "= g.enumerate(new Thread[3], true)", "t.start();"),
    ("java/lang/Thread.getThreads", THREAD, "= Thread.getAllStackTraces().containsKey(t)", "t.start();"),
    // What management beans tell of threads.
    ("sun/management/ThreadImpl.getThreads", THREAD, "seen = of(BEANS.getAllThreadIds().length); BEANS.findDeadlockedThreads(); BEANS.findMonitorDeadlockedThreads();", "t.start();"),
    ("sun/management/VMManagementImpl.getLiveThreadCount", THREAD, "= BEANS.getThreadCount()", "t.start();"),
    ("sun/management/VMManagementImpl.getDaemonThreadCount", "final Thread t = new Thread(() -> { }); { t.setDaemon(true); }", "= BEANS.getDaemonThreadCount()", "t.start();"),
    ("jdk/internal/misc/Unsafe.park", "final Thread m = Thread.currentThread(); volatile int x;", "java.util.concurrent.locks.LockSupport.parkNanos(1000); seen = of(x);", "x = 1; java.util.concurrent.locks.LockSupport.unpark(m);"),
    ("jdk/internal/misc/Unsafe.unpark", "final Thread m = Thread.currentThread(); volatile int x;", "if (x == 0) { java.util.concurrent.locks.LockSupport.park(); seen = \"woken\"; }", "x = 1; java.util.concurrent.locks.LockSupport.unpark(m);"),
    // Stages of futures.
    ("java/util/concurrent/CompletableFuture.internalComplete", STAGE, "f.obtrudeValue(1);", "seen = of(f.getNow(0));"),
    ("java/util/concurrent/CompletableFuture.completeValue", STAGE, "= f.complete(1)", "f.complete(2);"),
    ("java/util/concurrent/CompletableFuture.completeNull", STAGE, "CompletableFuture<Void> r = CompletableFuture.runAsync(() -> x = 1); r.join(); seen = of(x);", "f.complete(2); x = 2;"),
    ("java/util/concurrent/CompletableFuture.completeThrowable", STAGE, "= f.completeExceptionally(new Error())", "f.complete(2);"),
    ("java/util/concurrent/CompletableFuture.completeRelay", STAGE, "CompletableFuture<Integer> r = f.thenCompose(i -> g); seen = of(r.getNow(0)); ", "g.complete(2); f.complete(1);"),
    ("java/util/concurrent/CompletableFuture.unipush", STAGE, "CompletableFuture<Integer> r = f.thenCompose(i -> g); seen = of(r.getNow(0));", "f.complete(1); g.complete(2);"),
    ("java/util/concurrent/CompletableFuture.uniApplyStage", STAGE, "= f.thenApply(i -> i + 1).isDone()", "f.complete(1);"),
    ("java/util/concurrent/CompletableFuture.uniAcceptStage", STAGE, "= f.thenAccept(i -> { }).isDone()", "f.complete(1);"),
    ("java/util/concurrent/CompletableFuture.uniRunStage", STAGE, "= f.thenRun(() -> { }).isDone()", "f.complete(1);"),
    ("java/util/concurrent/CompletableFuture.uniWhenCompleteStage", STAGE, "= f.whenComplete((i, e) -> { }).isDone()", "f.complete(1);"),
    ("java/util/concurrent/CompletableFuture.uniHandleStage", STAGE, "= f.handle((i, e) -> i).isDone()", "f.complete(1);"),
    ("java/util/concurrent/CompletableFuture.uniExceptionallyStage", STAGE, "= f.exceptionally(e -> 1).isDone()", "f.complete(1);"),
    ("java/util/concurrent/CompletableFuture.uniCopyStage", STAGE, "= f.copy().isDone()", "f.complete(1);"),
    ("java/util/concurrent/CompletableFuture.uniAsMinimalStage", STAGE, "= f.minimalCompletionStage().toString().contains(\"Completed\")", "f.complete(1);"),
    ("java/util/concurrent/CompletableFuture$MinimalStage.toCompletableFuture", STAGE, "= f.minimalCompletionStage().toCompletableFuture().isDone()", "f.complete(1);"),
    ("java/util/concurrent/CompletableFuture.biApplyStage", STAGE, "= f.thenCombine(g, (i, j) -> i).isDone()", "f.complete(1); g.complete(2);"),
    ("java/util/concurrent/CompletableFuture.biAcceptStage", STAGE, "= f.thenAcceptBoth(g, (i, j) -> { }).isDone()", "f.complete(1); g.complete(2);"),
    ("java/util/concurrent/CompletableFuture.biRunStage", STAGE, "= f.runAfterBoth(g, () -> { }).isDone()", "f.complete(1); g.complete(2);"),
    ("java/util/concurrent/CompletableFuture.orApplyStage", STAGE, "= f.applyToEither(g, i -> i).getNow(0)", "f.complete(1); g.complete(2);"),
    ("java/util/concurrent/CompletableFuture.orAcceptStage", STAGE, "= f.acceptEither(g, i -> { }).isDone()", "g.complete(2);"),
    ("java/util/concurrent/CompletableFuture.orRunStage", STAGE, "= f.runAfterEither(g, () -> { }).isDone()", "g.complete(2);"),
    ("java/util/concurrent/CompletableFuture.allOf", STAGE, "= CompletableFuture.allOf(f, g).isDone()", "f.complete(1); g.complete(2);"),
    ("java/util/concurrent/CompletableFuture$Completion.run", "volatile int x; final CompletableFuture<Integer> f = new CompletableFuture<>(); final ExecutorService p = Executors.newFixedThreadPool(1);", "CompletableFuture<Integer> r = f.thenApplyAsync(i -> x = i, p); f.complete(1); r.join(); p.shutdown();", "seen = of(x);"),
    ("java/util/concurrent/CompletableFuture$Completion.exec", "volatile int x; final CompletableFuture<Integer> f = new CompletableFuture<>(); final ForkJoinPool p = new ForkJoinPool(2);", "CompletableFuture<Integer> r = f.thenApplyAsync(i -> x = i, p); f.complete(1); r.join();", "seen = of(x);"),
    // Queues without room.
    ("java/util/concurrent/SynchronousQueue.offer(Ljava/lang/Object;)Z", "final SynchronousQueue<Integer> q = new SynchronousQueue<>();", "= q.offer(1)", "q.poll(1, TimeUnit.MILLISECONDS);"),
    ("java/util/concurrent/SynchronousQueue.poll(J", "final SynchronousQueue<Integer> q = new SynchronousQueue<>();", "= q.poll(1, TimeUnit.MILLISECONDS)", "q.offer(1);"),
    // Tasks of pools that share work.
    ("java/util/concurrent/ForkJoinPool.externalPush", "volatile int x; final ForkJoinPool p = new ForkJoinPool(2);", "p.execute(() -> x = 1); p.shutdown();", "seen = of(x);"),
    ("java/util/concurrent/ForkJoinTask.awaitDone", "volatile int x; final ForkJoinPool p = new ForkJoinPool(2);", "ForkJoinTask<?> t = p.submit(() -> x = 1); t.get(); p.shutdown();", "seen = of(x); x = 2; seen += x;"),
    ("java/util/concurrent/CountedCompleter.decrementPendingCountUnlessZero", "static class Whole extends CountedCompleter<Void> { public void compute() { } } final Whole w = new Whole(); { w.setPendingCount(2); }", "= w.decrementPendingCountUnlessZero()", "w.setPendingCount(0);"),
    ("java/util/concurrent/ForkJoinPool$WorkQueue.push", "volatile int x; final ForkJoinPool p = new ForkJoinPool(2);", "p.submit(() -> { ForkJoinTask<?> t = ForkJoinTask.adapt(() -> { x = 1; }); t.fork(); t.join(); }).get(); p.shutdown();", "seen = of(x);"),
];
