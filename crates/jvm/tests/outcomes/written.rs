//! Programs written by hand: what people do with collections, strings, arrays, reflection, printing, locks, conditions,
//! atomics, pools, futures, queues, timers, the life of threads and time limits.
//!
//! A row is a title, what is shared, what each thread does and what is looked at at the end, as in
//! [`Draft`](super::Draft). A new program is a row here and needs nothing else.

use super::Draft;

type Row = (&'static str, &'static str, &'static [&'static [&'static str]], &'static str);

/// All of them.
pub fn drafts() -> impl Iterator<Item = Draft> {
    WRITTEN.iter().map(|(title, state, threads, last)| Draft {
        title: (*title).to_string(),
        state: vec![(*state).to_string()],
        threads: threads
            .iter()
            .map(|statements| statements.iter().map(|text| (*text).to_string()).collect())
            .collect(),
        lasts: if last.is_empty() { Vec::new() } else { vec![(*last).to_string()] },
    })
}

#[rustfmt::skip]
const WRITTEN: &[Row] = &[
    // Collections.
    ("a guarded list, checked and then used", "static final List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1)));",
        &[&["if (!list.isEmpty()) o = list.remove(0);"], &["if (!list.isEmpty()) o = list.remove(0);"]], "list"),
    ("a counter in a concurrent map", "static final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>(Map.of(\"a\", 0));",
        &[&["map.put(\"a\", map.get(\"a\") + 1);"], &["map.merge(\"a\", 1, Integer::sum);"]], "map"),
    ("a map that computes once", "static final AtomicInteger calls = new AtomicInteger(); static final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();",
        &[&["o = map.computeIfAbsent(1, k -> calls.incrementAndGet());"], &["o = map.computeIfAbsent(1, k -> calls.incrementAndGet());"]], "calls"),
    ("an iterator over a copy on write", "static final CopyOnWriteArrayList<Integer> list = new CopyOnWriteArrayList<>(List.of(1, 2));",
        &[&["int sum = 0; for (int i : list) sum += i; o = sum;"], &["list.add(4);", "list.remove(0);"]], "list"),
    ("a skip list map", "static final ConcurrentSkipListMap<Integer, String> map = new ConcurrentSkipListMap<>(Map.of(2, \"b\"));",
        &[&["map.put(1, \"a\");"], &["o = map.firstKey();", "o = map.pollFirstEntry();"]], "map"),
    ("a vector and its size", "static final Vector<Integer> vector = new Vector<>(List.of(1, 2));",
        &[&["o = vector.get(vector.size() - 1);"], &["vector.remove(0);"]], "vector"),
    ("a hash table of the old kind", "static final Hashtable<String, Integer> table = new Hashtable<>();",
        &[&["if (table.get(\"k\") == null) table.put(\"k\", 1);"], &["if (table.get(\"k\") == null) table.put(\"k\", 2);"]], "table"),
    // Strings and printing.
    ("a buffer of text", "static final StringBuffer text = new StringBuffer();",
        &[&["text.append(\"ab\").append(\"c\");"], &["text.append(\"x\");", "o = text.length();"]], "text"),
    ("strings that are joined and split", "static volatile String word = \"a,b\";",
        &[&["word = String.join(\"-\", word.split(\",\"));"], &["word = word.toUpperCase();"]], "word"),
    ("interned strings", "static volatile String word = \"a\";",
        &[&["word = new String(\"b\").intern();"], &["o = word == \"b\";", "o = word == \"b\";"]], ""),
    ("printing into memory", "static final java.io.ByteArrayOutputStream memory = new java.io.ByteArrayOutputStream(); static final java.io.PrintStream out = new java.io.PrintStream(memory, true);",
        &[&["out.printf(\"%d\", 1);"], &["out.print(\"two\");"]], "memory"),
    ("formatted text of a volatile", "static volatile int n = 1;",
        &[&["o = String.format(\"%d %d\", n, n);"], &["n = 2;"]], ""),
    // Arrays.
    ("elements through a handle", "static final int[] cells = new int[2]; static final java.lang.invoke.VarHandle at = java.lang.invoke.MethodHandles.arrayElementVarHandle(int[].class);",
        &[&["at.setVolatile(cells, 0, 1);", "o = (int) at.getVolatile(cells, 1);"], &["at.setVolatile(cells, 1, 1);", "o = (int) at.getVolatile(cells, 0);"]], ""),
    ("an array behind a lock", "static final int[] a = {1, 2, 3}; static final Object lock = new Object();",
        &[&["synchronized (lock) { System.arraycopy(a, 0, a, 1, 2); }"], &["synchronized (lock) { o = Arrays.stream(a).sum(); a[0] = 9; }"]], "Arrays.toString(a)"),
    ("an array that is replaced", "static volatile int[] now = {1};",
        &[&["int[] more = Arrays.copyOf(now, now.length + 1); more[more.length - 1] = 2; now = more;"], &["int[] more = Arrays.copyOf(now, now.length + 1); more[more.length - 1] = 3; now = more;"]], "Arrays.toString(now)"),
    ("an array of atomics", "static final AtomicIntegerArray cells = new AtomicIntegerArray(2);",
        &[&["o = cells.getAndIncrement(0);", "o = cells.get(1);"], &["o = cells.getAndIncrement(1);", "o = cells.get(0);"]], "cells"),
    // Reflection.
    ("a volatile field by reflection", "static volatile int v; static java.lang.reflect.Field field() throws Exception { return P.class.getDeclaredField(\"v\"); }",
        &[&["field().setInt(null, field().getInt(null) + 1);"], &["v = 5;", "o = v;"]], "v"),
    ("a synchronized method by reflection", "static int x; static synchronized int next() { return ++x; }",
        &[&["o = P.class.getDeclaredMethod(\"next\").invoke(null);"], &["o = next();"]], "x"),
    ("a method handle", "static int x; static synchronized int next() { return x += 2; }",
        &[&["o = (int) java.lang.invoke.MethodHandles.lookup().findStatic(P.class, \"next\", java.lang.invoke.MethodType.methodType(int.class)).invoke();"], &["o = next();"]], "x"),
    // Locks.
    ("two locks in two orders", "static final Object a = new Object(), b = new Object(); static int x;",
        &[&["synchronized (a) { Pause.now(); synchronized (b) { x++; } }"], &["synchronized (b) { Pause.now(); synchronized (a) { x += 2; } }"]], "x"),
    ("a read lock that is to become a write lock", "static int x; static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();",
        &[&["lock.readLock().lock(); int y = x; lock.readLock().unlock(); lock.writeLock().lock(); x = y + 1; lock.writeLock().unlock();"], &["lock.writeLock().lock(); x += 5; lock.writeLock().unlock();"]], "x"),
    ("a lock that is tried", "static int x; static final ReentrantLock lock = new ReentrantLock();",
        &[&["if (lock.tryLock()) try { x++; Pause.now(); } finally { lock.unlock(); } else o = \"busy\";"], &["if (lock.tryLock()) try { x++; Pause.now(); } finally { lock.unlock(); } else o = \"busy\";"]], "x"),
    ("a stamped lock and an optimistic reader", "static volatile int x, y; static final StampedLock lock = new StampedLock();",
        &[&["long s = lock.tryOptimisticRead(); int a = x, b = y; o = lock.validate(s) ? a == b : \"again\";"], &["long s = lock.writeLock(); x++; y++; lock.unlockWrite(s);"]], "x"),
    ("a fair lock", "static int x; static final ReentrantLock lock = new ReentrantLock(true);",
        &[&["lock.lock(); x = x * 2 + 1; lock.unlock();"], &["lock.lock(); x = x * 2 + 2; lock.unlock();"], &["lock.lock(); x = x * 2 + 3; lock.unlock();"]], "x"),
    // Conditions.
    ("a signal that may come too early", "static final ReentrantLock lock = new ReentrantLock(); static final Condition go = lock.newCondition();",
        &[&["lock.lock(); try { go.await(); } finally { lock.unlock(); }"], &["lock.lock(); go.signal(); lock.unlock();"]], ""),
    ("a notification for one of two", "static final Object m = new Object(); static int tokens;",
        &[&["synchronized (m) { while (tokens == 0) m.wait(); tokens--; }"], &["synchronized (m) { while (tokens == 0) m.wait(); tokens--; }"], &["synchronized (m) { tokens = 2; m.notify(); }"]], "tokens"),
    ("a hand-over between two", "static boolean full; static int box; static synchronized void put(int x) throws Exception { while (full) P.class.wait(); box = x; full = true; P.class.notifyAll(); } static synchronized int take() throws Exception { while (!full) P.class.wait(); full = false; P.class.notifyAll(); return box; }",
        &[&["put(1);", "put(2);"], &["o = take() * 10 + take();"]], ""),
    // Atomics.
    ("a compare-and-set that loses", "static final AtomicReference<String> owner = new AtomicReference<>();",
        &[&["o = owner.compareAndSet(null, \"a\");"], &["o = owner.compareAndSet(null, \"b\");"]], "owner"),
    ("a stamped reference", "static final AtomicStampedReference<Integer> ref = new AtomicStampedReference<>(1, 0);",
        &[&["int[] s = {0}; Integer v = ref.get(s); o = ref.compareAndSet(v, 2, s[0], s[0] + 1);"], &["int[] s = {0}; Integer v = ref.get(s); o = ref.compareAndSet(v, 3, s[0], s[0] + 1);"]], "ref.getReference() + \" \" + ref.getStamp()"),
    ("an accumulator", "static final LongAccumulator most = new LongAccumulator(Long::max, 0);",
        &[&["most.accumulate(3);"], &["most.accumulate(5);", "o = most.get();"]], "most"),
    ("store buffers with volatiles", "static volatile int x, y;",
        &[&["x = 1; o = y;"], &["y = 1; o = x;"]], ""),
    ("an opaque and a release", "static int x; static final java.lang.invoke.VarHandle at; static { try { at = java.lang.invoke.MethodHandles.lookup().findStaticVarHandle(P.class, \"x\", int.class); } catch (ReflectiveOperationException e) { throw new Error(e); } }",
        &[&["at.setRelease(1);", "o = (int) at.getAndAddAcquire(2);"], &["o = (int) at.getAcquire();", "o = (int) at.compareAndExchange(1, 7);"]], "(int) at.getVolatile()"),
    // Pools.
    ("tasks of a pool", "static final AtomicInteger n = new AtomicInteger();",
        &[&["ExecutorService p = Executors.newFixedThreadPool(2); Future<Integer> a = p.submit(() -> n.addAndGet(1)), b = p.submit(() -> n.addAndGet(10)); o = a.get() + \" \" + b.get(); p.shutdown(); o += \" \" + p.awaitTermination(1, TimeUnit.DAYS);"]], "n"),
    ("a pool that is shut down meanwhile", "static final AtomicInteger n = new AtomicInteger(); static final ExecutorService pool = Executors.newSingleThreadExecutor();",
        &[&["pool.execute(n::incrementAndGet);"], &["pool.shutdown(); o = pool.awaitTermination(1, TimeUnit.DAYS);"]], "n"),
    ("what a pool leaves undone", "static final ExecutorService pool = Executors.newFixedThreadPool(1); static final AtomicInteger n = new AtomicInteger();",
        &[&["pool.execute(n::incrementAndGet); pool.execute(n::incrementAndGet); o = pool.shutdownNow().size();", "o = pool.awaitTermination(1, TimeUnit.DAYS);"]], "n"),
    ("all of some tasks", "static final AtomicInteger n = new AtomicInteger();",
        &[&["ExecutorService p = Executors.newCachedThreadPool(); int sum = 0; List<Callable<Integer>> tasks = List.of(n::incrementAndGet, n::incrementAndGet); for (Future<Integer> f : p.invokeAll(tasks)) sum = sum * 10 + f.get(); o = sum; p.shutdown();"]], "n"),
    ("forked tasks", "static final AtomicInteger n = new AtomicInteger();",
        &[&["ForkJoinTask<?> a = ForkJoinTask.adapt(() -> n.addAndGet(1)).fork(); n.addAndGet(2); o = n.get(); a.join();"]], "n"),
    // Futures.
    ("two that complete one future", "static final CompletableFuture<Integer> f = new CompletableFuture<>();",
        &[&["o = f.complete(1);"], &["o = f.completeExceptionally(new RuntimeException());"], &["o = f.handle((v, e) -> e == null ? v : -1).join();"]], ""),
    ("stages of two futures", "static final CompletableFuture<Integer> f = new CompletableFuture<>(), g = new CompletableFuture<>();",
        &[&["f.complete(1);"], &["g.complete(2);"], &["o = f.applyToEither(g, i -> i * 10).join();"]], "f.thenCombine(g, Integer::sum).join()"),
    ("a task that is cancelled", "static final AtomicInteger n = new AtomicInteger(); static final FutureTask<Integer> task = new FutureTask<>(n::incrementAndGet);",
        &[&["task.run();"], &["o = task.cancel(true);"], &["o = task.get();"]], "n"),
    ("a future that runs out of time", "static final CompletableFuture<Integer> f = new CompletableFuture<>();",
        &[&["o = f.get(1, TimeUnit.MILLISECONDS);"], &["f.complete(1);"]], ""),
    // Queues.
    ("a queue with room for one", "static final ArrayBlockingQueue<Integer> q = new ArrayBlockingQueue<>(1);",
        &[&["q.put(1); q.put(2);"], &["o = q.take() + \" \" + q.poll();"]], "q"),
    ("a queue without room", "static final SynchronousQueue<Integer> q = new SynchronousQueue<>();",
        &[&["o = q.offer(1);"], &["o = q.poll(1, TimeUnit.MILLISECONDS);"]], ""),
    ("a queue that is drained", "static final LinkedBlockingQueue<Integer> q = new LinkedBlockingQueue<>(List.of(1));",
        &[&["q.add(2);"], &["List<Integer> l = new ArrayList<>(); q.drainTo(l); o = l;"]], "q"),
    ("a priority queue of many threads", "static final PriorityBlockingQueue<Integer> q = new PriorityBlockingQueue<>(List.of(3));",
        &[&["q.add(1);"], &["o = q.take();"]], "q"),
    ("a delayed element", "static final LinkedBlockingDeque<Integer> q = new LinkedBlockingDeque<>();",
        &[&["q.offerFirst(1);", "q.offerLast(2);"], &["o = q.pollLast(1, TimeUnit.MILLISECONDS);"]], "q"),
    ("two that exchange", "static final Exchanger<String> x = new Exchanger<>();",
        &[&["o = x.exchange(\"a\", 1, TimeUnit.MILLISECONDS);"], &["o = x.exchange(\"b\", 1, TimeUnit.MILLISECONDS);"]], ""),
    // Timers and time limits.
    ("a timer", "static final AtomicInteger n = new AtomicInteger();",
        &[&["Timer t = new Timer(); t.schedule(new TimerTask() { public void run() { n.incrementAndGet(); } }, 1); o = n.get(); t.cancel();"]], ""),
    ("a scheduled task", "static final AtomicInteger n = new AtomicInteger();",
        &[&["ScheduledExecutorService s = Executors.newScheduledThreadPool(1); ScheduledFuture<Integer> f = s.schedule(n::incrementAndGet, 1, TimeUnit.MILLISECONDS); o = f.cancel(false); s.shutdown();"]], "n.get() < 2"),
    ("a latch with a time limit", "static final CountDownLatch latch = new CountDownLatch(2);",
        &[&["latch.countDown(); o = latch.await(1, TimeUnit.MILLISECONDS);"], &["latch.countDown(); o = latch.getCount();"]], ""),
    ("a permit with a time limit", "static final Semaphore s = new Semaphore(1);",
        &[&["if (s.tryAcquire(1, TimeUnit.MILLISECONDS)) { o = s.availablePermits(); s.release(); } else o = \"late\";"], &["s.acquire(); Pause.now(); s.release();"]], "s.availablePermits()"),
    ("a wait with a time limit", "static final Object m = new Object(); static boolean done;",
        &[&["synchronized (m) { if (!done) m.wait(1); o = done; }"], &["synchronized (m) { done = true; m.notify(); }"]], ""),
    ("a barrier that breaks", "static final CyclicBarrier b = new CyclicBarrier(2);",
        &[&["o = b.await(1, TimeUnit.MILLISECONDS);"], &["o = b.await();"]], "b.isBroken()"),
    ("a phaser", "static final Phaser p = new Phaser(2);",
        &[&["o = p.arriveAndAwaitAdvance();"], &["o = p.getPhase();", "o = p.arriveAndDeregister();"]], "p.getPhase()"),
    ("a phaser with an arrival too many", "static final Phaser p = new Phaser(2);",
        &[&["o = p.arriveAndAwaitAdvance();"], &["o = p.arrive();", "o = p.arriveAndDeregister();"]], "p.getPhase()"),
    ("a phaser that counts its phases", "static final AtomicInteger n = new AtomicInteger(); static final Phaser p = new Phaser(1) { protected boolean onAdvance(int phase, int parties) { n.incrementAndGet(); return phase >= 1; } };",
        &[&["o = p.arrive();"], &["o = p.arrive();", "o = p.getUnarrivedParties();"]], "n + \" \" + p.isTerminated()"),
    // The life of threads.
    ("an interrupted sleep", "static volatile int x; static final Thread sleeper = new Thread(() -> { try { Thread.sleep(1); x = 1; } catch (InterruptedException e) { x = 2; } });",
        &[&["sleeper.start(); sleeper.interrupt(); sleeper.join(); o = x;"]], ""),
    ("an interrupted wait", "static volatile Thread waiter; static final CountDownLatch latch = new CountDownLatch(1);",
        &[&["waiter = Thread.currentThread(); latch.await(); o = Thread.interrupted();"], &["if (waiter != null) waiter.interrupt();", "latch.countDown();"]], ""),
    ("parking and permits", "static volatile Thread parked; static volatile boolean go;",
        &[&["parked = Thread.currentThread(); while (!go) LockSupport.park(); o = go;"], &["go = true; if (parked != null) LockSupport.unpark(parked);"]], ""),
    ("a thread that dies of an exception", "static int x; static final Object m = new Object();",
        &[&["!synchronized (m) { if (x == 1) throw new IllegalStateException(); x = 2; }"], &["synchronized (m) { x = 1; }"]], "x"),
    ("an assertion of a thread", "static final AtomicInteger n = new AtomicInteger();",
        &[&["!n.set(n.get() + 1); assert n.get() < 2;"], &["n.set(n.get() + 1);"]], "n"),
    ("a thread that is joined with a time limit", "static volatile int x; static final Thread t = new Thread(() -> x = 1);",
        &[&["t.start(); t.join(1); o = x + \" \" + t.isAlive();"], &["o = t.isAlive();"]], ""),
    ("values of a thread of its own", "static final ThreadLocal<Integer> own = ThreadLocal.withInitial(() -> 1); static volatile int x;",
        &[&["own.set(own.get() + 1); x = own.get();"], &["o = own.get() + x;"]], ""),
    ("a class that is initialised by whoever comes first", "static final AtomicInteger n = new AtomicInteger(); static class Lazy { static final int made = n.incrementAndGet(); }",
        &[&["n.set(5);", "o = Lazy.made;"], &["o = Lazy.made;"]], "n"),
    ("a singleton with a double check", "static volatile Object one; static final AtomicInteger n = new AtomicInteger(); static Object get() { if (one == null) synchronized (P.class) { if (one == null) { n.incrementAndGet(); one = new Object(); } } return one; }",
        &[&["o = get() == get();"], &["o = get() == get();"]], "n"),
];
