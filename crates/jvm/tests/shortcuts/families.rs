//! What Java threads do with what they share, by family: the state, the operations, and how the state
//! looks at the end. An operation is a statement that may set `o`, which becomes part of the outcome;
//! `#` stands for a small number.
//!
//! The families are those of everyday programs. A new one is a row here and needs nothing else.

/// A family of operations.
pub struct Family {
    /// What people would call it.
    pub name: &'static str,
    /// Declarations of the program's class.
    pub state: &'static str,
    /// Statements.
    pub operations: &'static [&'static str],
    /// An expression for the state at the end.
    pub last: &'static str,
}

pub const FAMILIES: &[Family] = &[
    Family {
        name: "array list",
        state: "static final ArrayList<Integer> list = new ArrayList<>(List.of(1, 2));",
        operations: &[
            "list.add(#);",
            "o = list.remove(0);",
            "o = list.set(0, #);",
            "o = list.get(1);",
            "o = new ArrayList<>(list);",
            "o = list.toString();",
            "o = list.contains(#);",
            "int sum = 0; for (int element : list) sum += element; o = sum;",
            "o = list.stream().mapToInt(i -> i).sum();",
            "list.sort(null);",
            "o = list.removeIf(element -> element == 1);",
            "o = list.toArray().length;",
            "o = Arrays.toString(list.toArray(new Integer[1]));",
            "o = list.equals(List.of(1, 2));",
            "o = list.hashCode();",
            "o = list.indexOf(2);",
            "list.clear();",
            "o = list.subList(0, 1).get(0);",
            "list.addAll(List.of(7, 8));",
            "int[] sum = {0}; list.forEach(i -> sum[0] += i); o = sum[0];",
            "Collections.reverse(list);",
            "o = list.clone();",
            "o = List.copyOf(list);",
            "list.replaceAll(i -> i + #);",
            "o = list.size() + \" \" + list.isEmpty();",
            "o = String.format(\"%s\", list);",
            "list.ensureCapacity(20);",
            "o = \"\" + list;",
            "list.add(0, #);",
            "o = list.stream().map(String::valueOf).collect(Collectors.joining(\",\"));",
            "System.out.println(list);",
        ],
        last: "list",
    },
    Family {
        name: "hash map",
        state: "static final HashMap<Integer, Integer> map = new HashMap<>(Map.of(1, 1));",
        operations: &[
            "o = map.put(#, 5);",
            "o = map.get(#);",
            "o = map.remove(1);",
            "map.merge(1, 10, Integer::sum);",
            "o = map.computeIfAbsent(#, key -> key * 2);",
            "o = map.putIfAbsent(#, 8);",
            "o = map.toString();",
            "o = map.containsKey(#);",
            "int sum = 0; for (int key : map.keySet()) sum += key; o = sum;",
            "o = map.values().stream().mapToInt(i -> i).sum();",
            "o = map.size();",
            "map.clear();",
            "o = new HashMap<>(map);",
            "o = map.getOrDefault(#, -1);",
            "o = map.equals(Map.of(1, 1));",
            "map.entrySet().iterator().next().setValue(6);",
            "o = map.clone();",
            "map.replaceAll((key, value) -> value + 1);",
        ],
        last: "map",
    },
    Family {
        name: "other collections",
        state: "static final TreeMap<Integer, Integer> tree = new TreeMap<>(Map.of(1, 1));\n\
                static final LinkedList<Integer> linked = new LinkedList<>(List.of(1, 2));\n\
                static final HashSet<Integer> set = new HashSet<>(Set.of(1));",
        operations: &[
            "o = tree.put(#, 3);",
            "o = tree.firstKey();",
            "o = tree.remove(1);",
            "o = tree.floorKey(2);",
            "o = tree.pollFirstEntry();",
            "o = linked.removeFirst();",
            "linked.add(#);",
            "o = linked.poll();",
            "o = linked.peekLast();",
            "o = linked.toString();",
            "o = set.add(#);",
            "o = set.remove(1);",
            "o = set.contains(#);",
            "o = new TreeSet<>(set);",
            "o = set.equals(Set.of(1));",
        ],
        last: "tree + \" \" + linked.size() + \" \" + set",
    },
    Family {
        name: "deques and queues of one thread",
        state: "static final ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2));\n\
                static final PriorityQueue<Integer> heap = new PriorityQueue<>(List.of(2, 1));",
        operations: &[
            "deque.push(#);",
            "o = deque.pop();",
            "o = deque.pollLast();",
            "deque.addLast(#);",
            "o = deque.size();",
            "o = deque.toString();",
            "o = new ArrayList<>(deque);",
            "heap.add(#);",
            "o = heap.poll();",
            "o = heap.peek();",
            "o = heap.toString();",
        ],
        last: "deque + \" \" + heap",
    },
    Family {
        name: "synchronized and concurrent collections",
        state: "static final List<Integer> guarded = Collections.synchronizedList(new ArrayList<>(List.of(1)));\n\
                static final Vector<Integer> vector = new Vector<>(List.of(1));\n\
                static final CopyOnWriteArrayList<Integer> copied = new CopyOnWriteArrayList<>(List.of(1));\n\
                static final ConcurrentHashMap<Integer, Integer> counts = new ConcurrentHashMap<>(Map.of(1, 1));",
        operations: &[
            "guarded.add(#);",
            "o = guarded.remove(0);",
            "o = guarded.toString();",
            "if (guarded.isEmpty()) guarded.add(4);",
            "int sum = 0; for (int element : guarded) sum += element; o = sum;",
            "vector.add(#);",
            "o = vector.lastElement();",
            "o = new ArrayList<>(vector);",
            "o = vector.remove(0);",
            "copied.add(#);",
            "int sum = 0; for (int element : copied) sum += element; o = sum;",
            "o = copied.addIfAbsent(#);",
            "o = counts.merge(1, 1, Integer::sum);",
            "o = counts.putIfAbsent(#, 2);",
            "o = counts.get(1);",
            "o = counts.remove(1);",
            "o = counts.size();",
            "o = counts.computeIfAbsent(#, key -> 9);",
        ],
        last: "guarded + \" \" + vector + \" \" + copied + \" \" + counts",
    },
    Family {
        name: "string builders and buffers of text",
        state: "static final StringBuilder builder = new StringBuilder(\"ab\");\n\
                static final StringBuffer text = new StringBuffer(\"cd\");",
        operations: &[
            "builder.append(#);",
            "builder.append(\"xy\");",
            "builder.append('z');",
            "o = builder.toString();",
            "o = builder.length();",
            "builder.setLength(1);",
            "builder.insert(0, 'i');",
            "builder.reverse();",
            "builder.deleteCharAt(0);",
            "o = builder.charAt(1);",
            "builder.setCharAt(0, 'q');",
            "o = builder.indexOf(\"b\");",
            "o = \"\" + builder;",
            "o = String.valueOf(builder);",
            "o = builder.substring(1);",
            "o = builder.compareTo(new StringBuilder(\"ab\"));",
            "builder.append(builder);",
            "o = \"ab\".contentEquals(builder);",
            "builder.append(true);",
            "text.append(builder);",
            "builder.append(text);",
            "text.append(#);",
            "o = text.toString();",
            "text.setLength(text.length() - 1);",
            "o = builder.chars().sum();",
        ],
        last: "builder.length() + \" \" + text.length() + \" \" + builder + \" \" + text",
    },
    Family {
        name: "buffers and streams onto memory",
        state: "static final java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocate(4);\n\
                static final java.nio.IntBuffer ints = java.nio.IntBuffer.wrap(new int[] {1, 2, 3});\n\
                static final java.io.ByteArrayOutputStream memory = new java.io.ByteArrayOutputStream(2);\n\
                static final java.io.StringWriter writer = new java.io.StringWriter();\n\
                static final java.io.PrintStream stream = new java.io.PrintStream(memory, true);\n\
                static final java.io.ByteArrayInputStream source = new java.io.ByteArrayInputStream(new byte[] {1, 2, 3});",
        operations: &[
            "bytes.put((byte) #);",
            "o = bytes.position();",
            "bytes.flip();",
            "o = bytes.get(0);",
            "bytes.put(new byte[] {1, 2});",
            "o = bytes.duplicate().remaining();",
            "bytes.putShort((short) 258);",
            "o = ints.get();",
            "ints.put(0, #);",
            "o = ints.get(0);",
            "int[] into = new int[2]; ints.get(into); o = into[0] + into[1];",
            "memory.write(65 + #);",
            "o = memory.size();",
            "o = memory.toByteArray().length;",
            "o = memory.toString();",
            "writer.write(\"w#\");",
            "o = writer.toString();",
            "o = source.read();",
            "byte[] into = new byte[2]; o = source.read(into) + \" \" + into[0];",
            "o = source.available();",
        ],
        last: "bytes + \" \" + ints + \" \" + memory.size() + \" \" + writer + \" \" + source.available()",
    },
    Family {
        name: "printing onto memory",
        state: "static final java.io.ByteArrayOutputStream memory = new java.io.ByteArrayOutputStream(2);\n\
                static final java.io.PrintStream stream = new java.io.PrintStream(memory);\n\
                static final java.io.StringWriter writer = new java.io.StringWriter();\n\
                static final java.io.PrintWriter printer = new java.io.PrintWriter(writer);\n\
                static int x;",
        operations: &[
            "stream.print('a');",
            "x = 1; stream.print('b');",
            "o = memory.size() + \" \" + x;",
            "printer.print('c');",
            "o = writer.toString();",
            "x = 2; printer.print('d');",
            "memory.reset();",
        ],
        last: "memory + \" \" + writer",
    },
    Family {
        name: "arrays",
        state: "static final int[] numbers = {1, 2, 3}; static final int[] others = {1, 2, 3};\n\
                static final String[] words = {\"a\", \"b\"}; static byte[] octets = {1, 2};\n\
                static final long[][] table = {{1}, {2}};",
        operations: &[
            "numbers[0] = #;",
            "numbers[2]++;",
            "o = numbers.clone()[0] + numbers.clone()[2];",
            "o = Arrays.toString(numbers);",
            "o = Arrays.copyOf(numbers, 2)[1];",
            "Arrays.fill(numbers, #);",
            "o = Arrays.equals(numbers, others);",
            "System.arraycopy(numbers, 0, others, 0, 3);",
            "System.arraycopy(numbers, 0, numbers, 1, 2);",
            "Arrays.sort(numbers);",
            "o = Arrays.hashCode(numbers);",
            "o = Arrays.stream(numbers).sum();",
            "others[1] = #;",
            "o = Arrays.mismatch(numbers, others);",
            "o = Arrays.asList(words).indexOf(\"b\");",
            "words[1] = \"c#\";",
            "o = String.join(\"-\", words);",
            "o = words.clone()[1];",
            "o = new String(octets).length();",
            "octets[0] = 66;",
            "octets = new byte[#];",
            "o = Arrays.toString(octets);",
            "table[0] = table[1].clone();",
            "table[1][0] = #;",
            "o = Arrays.deepToString(table);",
            "o = Arrays.copyOfRange(words, 1, 2)[0];",
            "Arrays.setAll(numbers, i -> i * #);",
            "o = Arrays.compare(numbers, others);",
        ],
        last: "Arrays.toString(numbers) + Arrays.toString(others) + Arrays.toString(words) + octets.length + table[0][0]",
    },
    Family {
        name: "reflection and handles",
        state: "static int plain; int own = 1; static final P object = new P();\n\
                static final int[] cells = {1, 2};\n\
                static final java.lang.reflect.Field field, ownField;\n\
                static final java.lang.reflect.Method method;\n\
                static final java.lang.invoke.VarHandle handle, element;\n\
                static { try { field = P.class.getDeclaredField(\"plain\"); ownField = P.class.getDeclaredField(\"own\");\n\
                method = P.class.getDeclaredMethod(\"twice\");\n\
                handle = java.lang.invoke.MethodHandles.lookup().findStaticVarHandle(P.class, \"plain\", int.class);\n\
                element = java.lang.invoke.MethodHandles.arrayElementVarHandle(int[].class);\n\
                } catch (ReflectiveOperationException e) { throw new AssertionError(e); } }\n\
                static int twice() { plain++; return plain * 2; }",
        operations: &[
            "field.setInt(null, #);",
            "o = field.getInt(null);",
            "o = field.get(null);",
            "ownField.set(object, #);",
            "o = ownField.get(object);",
            "object.own++;",
            "plain += #;",
            "o = method.invoke(null);",
            "o = java.lang.reflect.Array.getInt(cells, 0);",
            "java.lang.reflect.Array.setInt(cells, 0, #);",
            "o = java.lang.reflect.Array.get(cells, 1);",
            "cells[1] = #;",
            "cells[0]++;",
            "handle.set(#);",
            "o = (int) handle.getAndAdd(1);",
            "o = handle.compareAndSet(0, 5);",
            "element.setVolatile(cells, 1, #);",
            "o = (int) element.getAcquire(cells, 0);",
        ],
        last: "plain + \" \" + object.own + cells[0] + cells[1]",
    },
    Family {
        name: "formats and text that others change",
        state: "static final List<Object> parts = new ArrayList<>(List.of(\"a\"));\n\
                static final Point point = new Point();\n\
                static final class Point { int x = 1, y = 1; void move() { x++; y++; }\n\
                public String toString() { return x + \":\" + y; }\n\
                public boolean equals(Object other) { return other instanceof Point p && p.x == x && p.y == y; }\n\
                public int hashCode() { return x * 31 + y; } }\n\
                static final java.util.regex.Matcher matcher = java.util.regex.Pattern.compile(\"a+\").matcher(\"aabaa\");\n\
                static final StringTokenizer tokens = new StringTokenizer(\"a b c\");",
        operations: &[
            "parts.add(point);",
            "point.move();",
            "o = String.valueOf(point);",
            "o = \"<\" + point + \">\";",
            "o = String.format(\"%s\", point);",
            "o = new Formatter().format(\"%s %d\", point, point.x).toString();",
            "o = parts.toString();",
            "o = parts.contains(point);",
            "o = Objects.hash(point);",
            "o = Objects.equals(point, new Point());",
            "o = Optional.of(point).map(Object::toString).get();",
            "o = matcher.find();",
            "o = matcher.group();",
            "matcher.reset();",
            "o = tokens.nextToken();",
            "o = tokens.countTokens();",
            "System.out.println(point);",
            "System.out.print(parts);",
            "System.out.printf(\"%s\", point);",
            "o = String.join(\"\", parts.stream().map(Object::toString).toList());",
        ],
        last: "parts + \" \" + tokens.countTokens()",
    },
    Family {
        name: "iterators and streams over what is shared",
        state: "static final List<Integer> base = new ArrayList<>(List.of(1, 2));\n\
                static final Iterator<Integer> iterator = base.iterator();\n\
                static final Random random = new Random(7); static final BitSet bits = new BitSet(8);",
        operations: &[
            "o = iterator.hasNext();",
            "o = iterator.next();",
            "iterator.remove();",
            "base.add(#);",
            "base.set(0, #);",
            "o = base.stream().filter(i -> i > 1).count();",
            "o = base.stream().sorted().toList();",
            "o = base.stream().reduce(0, Integer::sum);",
            "o = base.stream().anyMatch(i -> i == 2);",
            "o = Collections.max(base);",
            "Collections.swap(base, 0, 1);",
            "bits.set(#);",
            "bits.flip(1);",
            "o = bits.get(1);",
            "o = bits.cardinality();",
        ],
        last: "base + \" \" + bits",
    },
    Family {
        name: "monitors and locks",
        state: "static int x; static final Object monitor = new Object();\n\
                static final ReentrantLock lock = new ReentrantLock();\n\
                static final ReentrantReadWriteLock both = new ReentrantReadWriteLock();",
        operations: &[
            "synchronized (monitor) { x++; o = x; }",
            "synchronized (monitor) { x += 2; monitor.notifyAll(); }",
            "x++;",
            "o = x;",
            "lock.lock(); try { x *= 2; } finally { lock.unlock(); }",
            "if (lock.tryLock()) { try { x = #; } finally { lock.unlock(); } } else o = \"busy\";",
            "both.readLock().lock(); try { o = x; } finally { both.readLock().unlock(); }",
            "both.writeLock().lock(); try { x += 3; } finally { both.writeLock().unlock(); }",
            "synchronized (monitor) { lock.lock(); x = 5; lock.unlock(); }",
            "lock.lock(); synchronized (monitor) { x = 6; } lock.unlock();",
            "o = lock.isLocked();",
            "if (both.writeLock().tryLock()) { x = 9; both.writeLock().unlock(); } else o = \"taken\";",
            "monitor.notify();",
            "lock.unlock();",
            "synchronized (monitor) { if (x > 1) throw new IllegalStateException(); x++; }",
        ],
        last: "x",
    },
    Family {
        name: "stamped locks",
        state: "static int x, y; static final StampedLock stamped = new StampedLock();",
        operations: &[
            "long stamp = stamped.writeLock(); try { x++; y++; } finally { stamped.unlockWrite(stamp); }",
            "long stamp = stamped.tryOptimisticRead(); int a = x, b = y; o = stamped.validate(stamp) ? a - b : \"again\";",
            "long stamp = stamped.readLock(); try { o = x - y; } finally { stamped.unlockRead(stamp); }",
            "long stamp = stamped.tryWriteLock(); if (stamp != 0) { x = 4; stamped.unlockWrite(stamp); } else o = \"busy\";",
            "o = stamped.isWriteLocked();",
        ],
        last: "x + \" \" + y",
    },
    Family {
        name: "conditions, latches, permits",
        state: "static int x; static final ReentrantLock lock = new ReentrantLock();\n\
                static final Condition changed = lock.newCondition();\n\
                static final CountDownLatch latch = new CountDownLatch(1);\n\
                static final Semaphore permits = new Semaphore(1); static final Object monitor = new Object();",
        operations: &[
            "lock.lock(); try { x++; changed.signal(); } finally { lock.unlock(); }",
            "lock.lock(); try { while (x == 0) changed.await(); o = x; } finally { lock.unlock(); }",
            "lock.lock(); try { o = changed.await(1, TimeUnit.MILLISECONDS) + \" \" + x; } finally { lock.unlock(); }",
            "latch.countDown();",
            "latch.await(); o = x;",
            "o = latch.await(1, TimeUnit.MILLISECONDS) + \" \" + x;",
            "o = latch.getCount();",
            "x++; latch.countDown();",
            "if (permits.tryAcquire()) { x++; permits.release(); } else o = \"none\";",
            "permits.acquire(); x += 2; permits.release();",
            "o = permits.availablePermits();",
            "synchronized (monitor) { while (x == 0) monitor.wait(); o = x; }",
            "synchronized (monitor) { x++; monitor.notifyAll(); }",
            "synchronized (monitor) { monitor.wait(1); o = x; }",
        ],
        last: "x + \" \" + latch.getCount() + \" \" + permits.availablePermits()",
    },
    Family {
        name: "atomics and adders",
        state: "static final AtomicInteger count = new AtomicInteger(); static int y;\n\
                static final LongAdder adder = new LongAdder();\n\
                static final AtomicReference<String> name = new AtomicReference<>(\"a\");\n\
                static final AtomicIntegerArray cells = new AtomicIntegerArray(2);\n\
                static final AtomicBoolean done = new AtomicBoolean();\n\
                static volatile int v; static final AtomicIntegerFieldUpdater<Holder> updater =\n\
                AtomicIntegerFieldUpdater.newUpdater(Holder.class, \"value\");\n\
                static final Holder holder = new Holder(); static final class Holder { volatile int value; }",
        operations: &[
            "o = count.incrementAndGet();",
            "o = count.getAndAdd(#);",
            "o = count.compareAndSet(#, 7);",
            "count.set(count.get() + 1);",
            "o = count.updateAndGet(u -> u * 2 + 1);",
            "count.lazySet(#);",
            "adder.increment();",
            "o = adder.sum();",
            "adder.add(#);",
            "o = name.getAndSet(\"b\");",
            "o = name.compareAndSet(\"a\", \"c\");",
            "o = cells.incrementAndGet(0);",
            "o = cells.get(0) + cells.get(1);",
            "if (done.compareAndSet(false, true)) y++;",
            "v++;",
            "o = v + y;",
            "y = v;",
            "o = updater.incrementAndGet(holder);",
            "holder.value = #;",
        ],
        last: "count + \" \" + adder + \" \" + name + \" \" + cells + \" \" + y + v + holder.value",
    },
    Family {
        name: "loops that retry or poll, with a bound",
        state: "static final AtomicInteger count = new AtomicInteger(); static volatile boolean ready; static int x;\n\
                static final ReentrantLock lock = new ReentrantLock();\n\
                static final AtomicReference<Node> top = new AtomicReference<>();\n\
                static final class Node { final int value; final Node below; Node(int value, Node below) { this.value = value; this.below = below; } }",
        operations: &[
            "int seen; int rounds = 0; do { seen = count.get(); rounds++; } while (!count.compareAndSet(seen, seen + 1)); o = rounds;",
            "int seen; do { seen = count.get(); } while (!count.compareAndSet(seen, seen * 2 + 1));",
            "for (int round = 0; round < 2 && !ready; round++) Thread.onSpinWait(); o = ready;",
            "int rounds = 0; while (!ready && rounds < 2) rounds++; o = rounds;",
            "ready = true;",
            "x = 1; ready = true;",
            "for (int round = 0; round < 2; round++) { lock.lock(); boolean stop = ready; lock.unlock(); if (stop) { o = round; break; } }",
            "for (int round = 0; round < 2; round++) if (lock.tryLock()) { x++; lock.unlock(); break; }",
            "Node old; Node made; do { old = top.get(); made = new Node(#, old); } while (!top.compareAndSet(old, made));",
            "Node old = top.get(); while (old != null && !top.compareAndSet(old, old.below)) old = top.get(); o = old == null ? -1 : old.value;",
            "for (int i = 0; i < 2; i++) count.incrementAndGet();",
            "int i = 0; while (count.get() == 0 && i++ < 2) Thread.yield(); o = i;",
            "o = x;",
        ],
        last: "count + \" \" + ready + \" \" + x + \" \" + (top.get() == null)",
    },
    Family {
        name: "futures",
        state: "static int x; static final CompletableFuture<Integer> future = new CompletableFuture<>();\n\
                static final FutureTask<Integer> task = new FutureTask<>(() -> ++x);",
        operations: &[
            "o = future.complete(#);",
            "o = future.isDone();",
            "o = future.getNow(-1);",
            "o = future.get();",
            "o = future.thenApply(i -> i + 1).getNow(-2);",
            "future.thenAccept(i -> x += i);",
            "o = future.completeExceptionally(new IllegalStateException());",
            "o = future.cancel(true);",
            "task.run();",
            "o = task.get();",
            "o = task.isDone();",
            "o = task.cancel(false);",
            "o = future.handle((value, error) -> error == null ? value : -3).getNow(-4);",
        ],
        last: "x + \" \" + future.isDone() + task.isDone()",
    },
    Family {
        name: "queues of many threads",
        state: "static final BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);\n\
                static final LinkedBlockingQueue<Integer> long_ = new LinkedBlockingQueue<>();\n\
                static final ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>(List.of(1));",
        operations: &[
            "o = queue.offer(#);",
            "o = queue.poll();",
            "queue.put(#);",
            "o = queue.take();",
            "o = queue.size();",
            "o = queue.peek();",
            "o = long_.add(#);",
            "o = long_.poll();",
            "o = long_.isEmpty();",
            "o = queue.poll(1, TimeUnit.MILLISECONDS);",
            "free.add(#);",
            "o = free.poll();",
            "o = free.isEmpty();",
            "o = long_.toString();",
        ],
        last: "queue + \" \" + long_ + \" \" + free",
    },
    Family {
        name: "pools",
        state: "static int x; static final ExecutorService pool = Executors.newFixedThreadPool(1);",
        operations: &[
            "o = pool.submit(() -> ++x).get();",
            "pool.execute(() -> x += 2);",
            "x++;",
            "o = pool.isShutdown();",
            "Future<Integer> made = pool.submit(() -> x); o = made.isDone();",
        ],
        last: "stop()",
    },
    Family {
        name: "thread life",
        state: "static int x; static volatile Thread worker = new Thread(() -> x++);",
        operations: &[
            "worker.start(); o = worker.isAlive();",
            "worker.start();",
            "o = worker.isAlive();",
            "worker.join(); o = x;",
            "worker.join(1); o = x;",
            "o = worker.getState() == Thread.State.TERMINATED;",
            "worker.interrupt();",
            "o = worker.isInterrupted();",
            "Thread.currentThread().interrupt(); o = Thread.interrupted();",
            "o = x;",
            "Thread made = new Thread(() -> x += 5); made.start(); made.join(); o = x + \" \" + made.isAlive();",
            "worker.setName(\"w#\");",
            "o = worker.getName().startsWith(\"w\");",
            "worker.setDaemon(true);",
        ],
        last: "x",
    },
    Family {
        name: "class initialisers",
        state: "static int x;\n\
                static class A { static int value = ++x; static int get() { return value; } }\n\
                static class B { static final int[] made = {x, x}; static int size = made.length; static { x += 10; } }\n\
                static class C extends A { static final Integer boxed = x * 2; }\n\
                static class D { static int broken = 1 / (x & 1); }\n\
                enum E { ONE, TWO; int seen = 0; }",
        operations: &[
            "o = A.value;",
            "o = A.get();",
            "o = B.made[0];",
            "o = B.size;",
            "o = C.boxed;",
            "o = D.broken;",
            "x++;",
            "o = x;",
            "o = new C() != null;",
            "E.ONE.seen++;",
            "o = E.values()[0].seen;",
            "A.value += 5;",
        ],
        last: "x",
    },
    Family {
        name: "final fields of objects seen too early",
        state: "static Leaky seen; static Wrapper wrapper; static Leaky[] slots = new Leaky[1];\n\
                static class Leaky { final int value; final String name; Leaky(int value) { seen = this; this.value = value; name = \"n\" + value; } }\n\
                static class Wrapper { final int[] content; final int size; Wrapper(int n) { content = new int[n]; content[0] = n; size = n; } }\n\
                static class Listener extends Base { final int late; Listener() { super(); late = 7; } int read() { return late; } }\n\
                static abstract class Base { Base() { listeners.add(this); } abstract int read(); }\n\
                static final List<Base> listeners = new CopyOnWriteArrayList<>();",
        operations: &[
            "new Leaky(#);",
            "Leaky found = seen; o = found == null ? \"none\" : found.value + found.name;",
            "wrapper = new Wrapper(# + 1);",
            "Wrapper found = wrapper; o = found == null ? \"none\" : found.size + \" \" + found.content[0];",
            "new Listener();",
            "int sum = 0; for (Base base : listeners) sum += 100 + base.read(); o = sum;",
            "slots[0] = new Leaky(3);",
            "o = slots[0] == null ? -1 : slots[0].value;",
        ],
        last: "listeners.size()",
    },
    Family {
        name: "text, numbers and boxes without change",
        state: "static String word = \"ab\"; static Integer boxed = 1; static Object any = 'c';\n\
                static final Properties properties = new Properties();\n\
                static final ThreadLocal<Integer> own = ThreadLocal.withInitial(() -> 1);",
        operations: &[
            "word = word + #;",
            "word = word.substring(1).toUpperCase();",
            "o = word.length() + word;",
            "o = word.hashCode();",
            "boxed++;",
            "o = boxed + \" \" + word;",
            "any = List.of(boxed, word);",
            "o = any.toString();",
            "o = word.split(\"b\").length;",
            "properties.setProperty(\"k\", word);",
            "o = properties.getProperty(\"k\", \"none\");",
            "own.set(own.get() + #); o = own.get();",
            "o = String.valueOf(any).replace('a', 'x');",
        ],
        last: "word + boxed + any + properties",
    },
];
