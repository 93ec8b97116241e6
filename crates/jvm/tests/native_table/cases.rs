//! What two threads do for a row of the table of natives: the one calls the method, the other reads or
//! writes what the method touches.
//!
//! A case is the row (class and method, with the descriptor where there are several), the fields that the
//! threads share, what the calling thread does, and what the other does meanwhile. The calling thread's
//! code is an expression after `=`, whose value is the outcome, or statements; then the outcome is what the
//! other thread has `seen`.

/// A case: row, fields, call, other thread.
pub type Case = (&'static str, &'static str, &'static str, &'static str);

const INTS: &str = "final int[] a = {1, 2};";
const BYTES: &str = "final byte[] a = new byte[16];";
const POOL: &str = "final ThreadPoolExecutor p = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, \
                    new LinkedBlockingQueue<>());";
const SCHEDULED: &str = "final ScheduledThreadPoolExecutor s = new ScheduledThreadPoolExecutor(1);";
const DELAYED: &str = "final BlockingQueue<Runnable> d = new ScheduledThreadPoolExecutor(1).getQueue(); \
                       final Stub x = new Stub(); { d.add(x); }";
const TASK: &str = "final FutureTask<Integer> f = new FutureTask<>(() -> 7);";
const OPEN_TASK: &str = "static class Open extends FutureTask<Integer> { Open() { super(() -> 7); } \
                         void put(int x) { set(x); } void fail() { setException(new Error()); } \
                         boolean again() { return runAndReset(); } } final Open f = new Open();";
const PHASER: &str = "final Phaser p = new Phaser(1);";
const STAGE: &str = "final CompletableFuture<Integer> f = new CompletableFuture<>();";

/// Natives that read or write what they are given.
#[rustfmt::skip]
pub const CONTENTS: &[Case] = &[
    ("java/lang/System.arraycopy", INTS, "int[] b = new int[2]; System.arraycopy(a, 0, b, 0, 2); seen = of(b[1]);", "a[1] = 9;"),
    ("java/lang/System.arraycopy", INTS, "System.arraycopy(new int[] {7, 8}, 0, a, 0, 2);", "seen = a[0] + of(a[1]);"),
    ("java/lang/System.arraycopy", "final Object[] a = {\"x\", \"y\", null};", "System.arraycopy(a, 0, a, 1, 2);", "seen = of(a[1]) + a[2];"),
    ("java/lang/System.setOut0", "final PrintStream s = new PrintStream(new ByteArrayOutputStream());", "System.setOut(s);", "seen = of(System.out == s);"),
    ("java/lang/System.setErr0", "final PrintStream s = new PrintStream(new ByteArrayOutputStream());", "System.setErr(s);", "seen = of(System.err == s);"),
    ("java/lang/System.setIn0", "final InputStream s = new ByteArrayInputStream(new byte[1]);", "System.setIn(s);", "seen = of(System.in == s);"),
    ("java/lang/Object.clone", INTS, "= a.clone()[1]", "a[1] = 9;"),
    ("java/lang/Object.clone", "static class Sheep implements Cloneable { int x = 1; Sheep copy() throws Exception { return (Sheep) clone(); } } final Sheep s = new Sheep();", "= s.copy().x", "s.x = 2;"),
    ("java/lang/Object.clone", "final ArrayList<Integer> l = new ArrayList<>(List.of(1));", "= l.clone()", "l.set(0, 5);"),
    ("java/lang/ref/Reference.clear0", "final WeakReference<Object> r = new WeakReference<>(\"x\");", "r.clear();", "seen = of(r.get());"),
    ("java/lang/ref/Reference.refersTo0", "final Object o = new Object(); final WeakReference<Object> r = new WeakReference<>(o);", "= r.refersTo(o)", "r.clear();"),
    ("java/lang/ref/PhantomReference.refersTo0", "final Object o = new Object(); final PhantomReference<Object> r = new PhantomReference<>(o, null);", "= r.refersTo(o)", "r.clear();"),
    ("java/lang/ref/PhantomReference.clear0", "final Object o = new Object(); final PhantomReference<Object> r = new PhantomReference<>(o, null);", "r.clear();", "seen = of(r.refersTo(o));"),
    ("java/security/SecureRandom.nextBytes", "final byte[] a = new byte[4];", "new SecureRandom().nextBytes(a);", "seen = of((a[0] | a[1] | a[2] | a[3]) == 0);"),
    ("jdk/internal/misc/Unsafe.copyMemory0", BYTES, "byte[] b = new byte[16]; U.copyMemory(a, 16, b, 16, 16); seen = of(b[3]);", "a[3] = 9;"),
    ("jdk/internal/misc/Unsafe.copyMemory0", "final int[] a = new int[2];", "byte[] b = {1, 1, 1, 1, 1, 1, 1, 1}; U.copyMemory(b, 16, a, 16, 8);", "seen = a[0] + \" \" + a[1];"),
    ("jdk/internal/misc/Unsafe.copySwapMemory0", BYTES, "byte[] b = new byte[16]; U.copySwapMemory(a, 16, b, 16, 16, 4); seen = of(b[0]);", "a[3] = 9;"),
    ("jdk/internal/misc/Unsafe.setMemory0", BYTES, "U.setMemory(a, 16, 2, (byte) 5);", "seen = a[0] + \" \" + a[1];"),
    ("jdk/internal/misc/Unsafe.getLongUnaligned", BYTES, "= U.getLongUnaligned(a, 17)", "a[3] = 9;"),
    ("jdk/internal/misc/Unsafe.getIntUnaligned", BYTES, "= U.getIntUnaligned(a, 17)", "a[3] = 9;"),
    ("jdk/internal/misc/Unsafe.getCharUnaligned", BYTES, "= (int) U.getCharUnaligned(a, 17)", "a[2] = 9;"),
    ("jdk/internal/misc/Unsafe.getShortUnaligned", BYTES, "= U.getShortUnaligned(a, 17)", "a[2] = -9;"),
    ("jdk/internal/misc/Unsafe.putLongUnaligned", BYTES, "U.putLongUnaligned(a, 17, -1L);", "seen = of(a[8]);"),
    ("jdk/internal/misc/Unsafe.putIntUnaligned", BYTES, "U.putIntUnaligned(a, 16, -1);", "seen = of(a[3]);"),
    ("jdk/internal/misc/Unsafe.putCharUnaligned", BYTES, "U.putCharUnaligned(a, 16, 'x');", "seen = of(a[0]);"),
    ("jdk/internal/misc/Unsafe.putShortUnaligned", BYTES, "U.putShortUnaligned(a, 17, (short) -1);", "seen = of(a[2]);"),
    ("jdk/internal/util/ArraysSupport.vectorizedMismatch", BYTES, "= Arrays.equals(a, new byte[16])", "a[13] = 9;"),
    ("jdk/internal/util/ArraysSupport.vectorizedMismatch", "final long[] a = new long[4];", "= Arrays.mismatch(a, new long[4])", "a[3] = 9;"),
    ("java/lang/reflect/Array.multiNewArray", INTS, "= Array.newInstance(int.class, a).getClass().getName() + Array.getLength(Array.newInstance(int.class, a))", "a[0] = 3;"),
    ("java/lang/reflect/Array.get", INTS, "= Array.get(a, 1)", "a[1] = 9;"),
    ("java/lang/reflect/Array.set", INTS, "Array.set(a, 1, 9);", "seen = of(a[1]);"),
    ("java/lang/reflect/Method.invoke", "final Object[] a = {\"x\"};", "= String.class.getMethod(\"concat\", String.class).invoke(\"-\", a)", "a[0] = \"y\";"),
    ("java/lang/reflect/Method.invoke", "static class Count { int n; public synchronized int add() { int m = n; n = m + 1; return n; } } final Count c = new Count();", "= Count.class.getMethod(\"add\").invoke(c)", "c.add();"),
    ("java/lang/reflect/Constructor.newInstance", "final Object[] a = {\"x\"};", "= String.class.getConstructor(String.class).newInstance(a)", "a[0] = \"y\";"),
    ("java/lang/reflect/Field.get", "static class V { int x = 1; } final V v = new V();", "= V.class.getDeclaredField(\"x\").get(v)", "v.x = 2;"),
    ("java/lang/reflect/Field.get", "static class V { static volatile String s = \"a\"; }", "= V.class.getDeclaredField(\"s\").get(null)", "V.s = \"b\";"),
    ("java/lang/reflect/Field.set", "static class V { Object x = 1; } final V v = new V();", "V.class.getDeclaredField(\"x\").set(v, 2);", "seen = of(v.x);"),
    ("java/text/DecimalFormatSymbols.initializeCurrency", "final DecimalFormatSymbols d = DecimalFormatSymbols.getInstance(Locale.US);", "= d.getCurrencySymbol()", "d.setCurrencySymbol(\"X\");"),
    ("java/io/PrintStream.write([C)V", "final char[] a = {'a'};", "System.out.print(a);", "a[0] = 'b';"),
    ("java/io/PrintStream.writeln([C)V", "final char[] a = {'a'};", "System.out.println(a);", "a[0] = 'b';"),
    ("java/io/PrintStream.write([BII)V", "final byte[] a = {'a'};", "System.out.write(a, 0, 1);", "a[0] = 'b';"),
    ("java/io/PrintStream.write([B)V", "final byte[] a = {'a'};", "System.out.write(a);", "a[0] = 'b';"),
    ("java/lang/invoke/MethodHandles.insertArguments", "final Object[] a = {\"x\"};", "= MethodHandles.insertArguments(MethodHandles.lookup().findVirtual(String.class, \"concat\", MethodType.methodType(String.class, String.class)), 1, a).invoke(\"-\")", "a[0] = \"y\";"),
    ("java/lang/invoke/MethodHandles.dropArguments", "final Class<?>[] a = {int.class};", "= MethodHandles.dropArguments(MethodHandles.identity(long.class), 0, a).type().parameterType(0)", "a[0] = char.class;"),
    ("java/lang/invoke/MethodHandles.permuteArguments", "final int[] a = {0};", "= MethodHandles.permuteArguments(MethodHandles.identity(int.class), MethodType.methodType(int.class, int.class, int.class), a).invoke(4, 5)", "a[0] = 1;"),
    ("java/lang/invoke/MethodHandles.filterArguments", "final MethodHandle[] a = {null};", "= MethodHandles.filterArguments(MethodHandles.identity(int.class), 0, a).type()", "a[0] = MethodHandles.dropArguments(MethodHandles.constant(int.class, 3), 0, long.class);"),
    ("java/lang/invoke/MethodType.methodType", "final Class<?>[] a = {int.class};", "= MethodType.methodType(void.class, a).parameterType(0)", "a[0] = long.class;"),
    ("java/util/zip/CRC32.updateBytes0", BYTES, "CRC32 c = new CRC32(); c.update(a); seen = of(c.getValue());", "a[1] = 9;"),
    ("java/util/zip/Adler32.updateBytes", BYTES, "Adler32 c = new Adler32(); c.update(a); seen = of(c.getValue());", "a[1] = 9;"),
    ("java/util/zip/Deflater.deflateBytesBytes", BYTES, "Deflater d = new Deflater(); d.setInput(a); d.finish(); d.deflate(new byte[64]); seen = of(d.getAdler());", "a[1] = 9;"),
    ("java/util/zip/Deflater.setDictionary", BYTES, "Deflater d = new Deflater(); d.setDictionary(a); seen = of(d.getAdler());", "a[1] = 9;"),
    ("java/util/zip/Inflater.inflateBytesBytes", "final byte[] a = {1, 1, 0, -2, -1, 7};", "Inflater i = new Inflater(true); i.setInput(a); byte[] b = new byte[1]; i.inflate(b); seen = of(b[0]);", "a[5] = 9;"),
    ("java/util/zip/Inflater.inflateBytesBytes", BYTES, "Inflater i = new Inflater(true); i.setInput(new byte[] {1, 1, 0, -2, -1, 7}); i.inflate(a);", "seen = of(a[0]);"),
    ("java/util/zip/Inflater.setDictionary", BYTES, "Inflater i = new Inflater(true); i.setDictionary(a); i.setInput(new byte[] {3, 2, 0}); byte[] b = new byte[3]; i.inflate(b); seen = of(b[0]);", "a[15] = 9;"),
    ("java/lang/ClassLoader.defineClass1", DEFINED, "= define(a)", "a[at] = 'z';"),
    ("java/lang/ClassLoader.defineClass0", DEFINED, "= MethodHandles.lookup().defineHiddenClass(a, false).lookupClass().getName().charAt(3)", "a[at] = 'z';"),
    ("java/lang/reflect/Field.setAccessible", "static class V { private int x; } final Field m = V.class.getDeclaredField(\"x\");", "m.setAccessible(true);", "seen = of(m.isAccessible());"),
    ("java/lang/reflect/AccessibleObject.trySetAccessible", "static class V { private int x; } final Field m = V.class.getDeclaredField(\"x\");", "m.trySetAccessible();", "seen = of(m.isAccessible());"),
    ("java/lang/reflect/Method.setAccessible", "static class V { private void x() {} } final Method m = V.class.getDeclaredMethod(\"x\");", "m.setAccessible(true);", "seen = of(m.isAccessible());"),
    ("java/lang/reflect/Constructor.setAccessible", "static class V { private V() {} } final Constructor<?> m = V.class.getDeclaredConstructor();", "m.setAccessible(true);", "seen = of(m.isAccessible());"),
    ("jdk/internal/misc/Unsafe.defineClass0", DEFINED, "= U.defineClass(null, a, 0, a.length, NativeTable.class.getClassLoader(), null).getName()", "a[at] = 'z';"),
    ("java/lang/reflect/Constructor.newInstanceWithCaller", "static int n = 1; static class V { int x = n; }", "= V.class.newInstance().x", "n = 2;"),
];

const DEFINED: &str = "static class Loader extends ClassLoader { String name(byte[] b) { return defineClass(null, b, 0, b.length).getName(); } } \
    final byte[] a = NativeTable.class.getResourceAsStream(\"Tiny.class\").readAllBytes(); final int at = at(); \
    int at() { for (int i = 0; ; i++) if (a[i] == 'T' && a[i + 1] == 'i' && a[i + 2] == 'n' && a[i + 3] == 'y' && a[i - 1] == 4) return i + 3; } \
    String define(byte[] b) { return new Loader().name(b); }";

/// Natives that refuse what threads share: the execution ends as unsupported.
#[rustfmt::skip]
pub const REFUSED: &[Case] = &[
    ("java/lang/Throwable.fillInStackTrace", "final Throwable e = new Throwable();", "e.fillInStackTrace();", "seen = of(e.getStackTrace().length);"),
];

const FILE: &str = "final FileInputStream s = new FileInputStream(\"Cargo.toml\");";
const PATH: &str = "final File f = temporary();";
const MADE: &str = "final File f = temporary(); { f.createNewFile(); }";
const RANDOM: &str = "final RandomAccessFile r = new RandomAccessFile(temporary(), \"rw\"); { r.write(new byte[] {1, 2, 3, 4}); r.seek(0); }";

/// Natives that leave the work to an operation on files.
#[rustfmt::skip]
pub const FILES: &[Case] = &[
    ("java/io/FileInputStream.read0", FILE, "= s.read()", "s.read();"),
    ("java/io/FileInputStream.readBytes", FILE, "byte[] b = new byte[2]; s.read(b); seen = new String(b);", "s.read();"),
    ("java/io/FileInputStream.readBytes", "final byte[] b = new byte[2];", "new FileInputStream(\"Cargo.toml\").read(b);", "seen = of(b[1]);"),
    ("java/io/FileInputStream.length0", FILE, "= s.readAllBytes().length", "s.read();"),
    ("java/io/FileInputStream.skip0", FILE, "s.skip(1); seen = of(s.read());", "s.read();"),
    ("java/io/FileInputStream.available0", FILE, "= s.available()", "s.read();"),
    ("java/io/FileDescriptor.close0", FILE, "s.close();", "try { seen = of(s.read()); } catch (IOException e) { seen = of(e); }"),
    ("java/io/FileOutputStream.open0", PATH, "new FileOutputStream(f);", "seen = of(f.exists());"),
    ("java/io/FileOutputStream.write(IZ)V", PATH, "new FileOutputStream(f).write(1);", "seen = of(f.length());"),
    ("java/io/FileOutputStream.writeBytes", "final byte[] a = {1, 2};", "File f = temporary(); new FileOutputStream(f).write(a); seen = of(new FileInputStream(f).read());", "a[0] = 5;"),
    ("java/io/RandomAccessFile.seek0", RANDOM, "r.seek(2);", "seen = of(r.read());"),
    ("java/io/RandomAccessFile.read0", RANDOM, "= r.read()", "r.write(9);"),
    ("java/io/RandomAccessFile.getFilePointer", RANDOM, "= r.getFilePointer()", "r.read();"),
    ("java/io/RandomAccessFile.setLength", RANDOM, "r.setLength(2);", "seen = of(r.length());"),
    ("java/io/UnixFileSystem.createFileExclusively", PATH, "= f.createNewFile()", "f.createNewFile();"),
    ("java/io/UnixFileSystem.createDirectory", PATH, "= f.mkdir()", "f.mkdir();"),
    ("java/io/UnixFileSystem.delete0", MADE, "= f.delete()", "f.delete();"),
    ("java/io/UnixFileSystem.rename0", MADE, "= f.renameTo(new File(f + \".moved\"))", "f.delete();"),
    ("java/io/UnixFileSystem.list", PATH, "= Arrays.asList(f.getParentFile().list()).contains(f.getName())", "f.mkdir();"),
    ("java/nio/file/Files.readAllBytes", PATH, "try { seen = of(java.nio.file.Files.readAllBytes(f.toPath()).length); } catch (IOException e) { seen = of(e.getClass()); }", "new FileOutputStream(f).write(1);"),
];

const MAP: &str = "final ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>();";
const STAMPED: &str = "final java.util.concurrent.locks.StampedLock l = new java.util.concurrent.locks.StampedLock();";

/// Calls that are performed as one atomic call.
#[rustfmt::skip]
pub const WHOLES: &[Case] = &[
    // Stamped locks.
    ("java/util/concurrent/locks/StampedLock.writeLock()J", STAMPED, "long s = l.writeLock(); l.unlockWrite(s);", "seen = of(l.isWriteLocked());"),
    ("java/util/concurrent/locks/StampedLock.writeLockInterruptibly()J", STAMPED, "long s = l.writeLockInterruptibly(); l.unlockWrite(s);", "seen = of(l.isWriteLocked());"),
    ("java/util/concurrent/locks/StampedLock.tryWriteLock()J", STAMPED, "long s = l.tryWriteLock(); seen = of(s != 0); if (s != 0) l.unlockWrite(s);", "long s = l.writeLock(); l.unlockWrite(s);"),
    ("java/util/concurrent/locks/StampedLock.tryWriteLock(J", STAMPED, "long s = l.tryWriteLock(1, TimeUnit.SECONDS); seen = of(s != 0); if (s != 0) l.unlockWrite(s);", "long s = l.writeLock(); l.unlockWrite(s);"),
    ("java/util/concurrent/locks/StampedLock.readLock()J", STAMPED, "long s = l.readLock(); l.unlockRead(s);", "seen = of(l.isReadLocked());"),
    ("java/util/concurrent/locks/StampedLock.readLockInterruptibly()J", STAMPED, "long s = l.readLockInterruptibly(); l.unlockRead(s);", "seen = of(l.isReadLocked());"),
    ("java/util/concurrent/locks/StampedLock.tryReadLock()J", STAMPED, "long s = l.tryReadLock(); seen = of(s != 0); if (s != 0) l.unlockRead(s);", "long s = l.writeLock(); l.unlockWrite(s);"),
    ("java/util/concurrent/locks/StampedLock.tryReadLock(J", STAMPED, "long s = l.tryReadLock(1, TimeUnit.SECONDS); seen = of(s != 0); if (s != 0) l.unlockRead(s);", "long s = l.writeLock(); l.unlockWrite(s);"),
    ("java/util/concurrent/locks/StampedLock.tryOptimisticRead", STAMPED, "seen = of(l.tryOptimisticRead() != 0);", "long s = l.writeLock(); l.unlockWrite(s);"),
    ("java/util/concurrent/locks/StampedLock.validate", STAMPED, "long s = l.tryOptimisticRead(); Pause.wide(); seen = (s != 0) + of(l.validate(s));", "long s = l.writeLock(); l.unlockWrite(s);"),
    ("java/util/concurrent/locks/StampedLock.unlockWrite", STAMPED, "long s = l.writeLock(); l.unlockWrite(s);", "seen = of(l.tryOptimisticRead() != 0);"),
    ("java/util/concurrent/locks/StampedLock.unlockRead", STAMPED, "long s = l.readLock(); l.unlockRead(s);", "seen = of(l.getReadLockCount());"),
    ("java/util/concurrent/locks/StampedLock.unlock", STAMPED, "long s = l.writeLock(); l.unlock(s);", "seen = of(l.isWriteLocked());"),
    ("java/util/concurrent/locks/StampedLock.tryConvertToWriteLock", STAMPED, "long s = l.tryConvertToWriteLock(l.tryOptimisticRead()); seen = of(s != 0); if (s != 0) l.unlockWrite(s);", "long s = l.writeLock(); l.unlockWrite(s);"),
    ("java/util/concurrent/locks/StampedLock.tryConvertToReadLock", STAMPED, "long s = l.tryConvertToReadLock(l.tryOptimisticRead()); seen = of(s != 0); if (s != 0) l.unlockRead(s);", "long s = l.writeLock(); l.unlockWrite(s);"),
    ("java/util/concurrent/locks/StampedLock.tryConvertToOptimisticRead", STAMPED, "long s = l.writeLock(); l.tryConvertToOptimisticRead(s);", "seen = of(l.isWriteLocked());"),
    ("java/util/concurrent/locks/StampedLock.tryUnlockWrite", STAMPED, "l.writeLock(); l.tryUnlockWrite();", "seen = of(l.isWriteLocked());"),
    ("java/util/concurrent/locks/StampedLock.tryUnlockRead", STAMPED, "l.readLock(); l.tryUnlockRead();", "seen = of(l.isReadLocked());"),
    ("java/util/concurrent/locks/StampedLock.isWriteLocked", STAMPED, "seen = of(l.isWriteLocked());", "long s = l.writeLock(); l.unlockWrite(s);"),
    ("java/util/concurrent/locks/StampedLock.isReadLocked", STAMPED, "seen = of(l.isReadLocked());", "long s = l.readLock(); l.unlockRead(s);"),
    ("java/util/concurrent/locks/StampedLock.getReadLockCount", STAMPED, "seen = of(l.getReadLockCount());", "long s = l.readLock(); l.unlockRead(s);"),
    ("java/util/concurrent/locks/StampedLock.toString", STAMPED, "seen = of(l.toString().contains(\"Write-locked\"));", "long s = l.writeLock(); l.unlockWrite(s);"),
    ("java/util/concurrent/locks/StampedLock.asReadLock", STAMPED, "java.util.concurrent.locks.Lock k = l.asReadLock(); k.lock(); k.unlock();", "seen = of(l.isReadLocked());"),
    ("java/util/concurrent/locks/StampedLock.unstampedUnlockRead", STAMPED, "java.util.concurrent.locks.Lock k = l.asReadLock(); k.lock(); k.unlock();", "seen = of(l.getReadLockCount());"),
    ("java/util/concurrent/locks/StampedLock.asWriteLock", STAMPED, "java.util.concurrent.locks.Lock k = l.asWriteLock(); k.lock(); k.unlock();", "seen = of(l.isWriteLocked());"),
    ("java/util/concurrent/locks/StampedLock.unstampedUnlockWrite", STAMPED, "java.util.concurrent.locks.Lock k = l.asWriteLock(); k.lock(); k.unlock();", "seen = of(l.tryOptimisticRead() != 0);"),
    ("java/util/concurrent/locks/StampedLock.asReadWriteLock", STAMPED, "java.util.concurrent.locks.Lock k = l.asReadWriteLock().writeLock(); k.lock(); k.unlock();", "seen = of(l.isWriteLocked());"),
    ("java/util/concurrent/FutureTask.run", TASK, "f.run();", "seen = of(f.isDone());"),
    ("java/util/concurrent/FutureTask.runAndReset", OPEN_TASK, "= f.again()", "f.cancel(false);"),
    ("java/util/concurrent/FutureTask.set", OPEN_TASK, "f.put(3);", "seen = of(f.isDone());"),
    ("java/util/concurrent/FutureTask.setException", OPEN_TASK, "f.fail();", "seen = of(f.isDone());"),
    ("java/util/concurrent/FutureTask.cancel", TASK, "= f.cancel(false)", "f.run();"),
    ("java/util/concurrent/FutureTask.handlePossibleCancellationInterrupt", TASK, "f.run(); Thread.interrupted(); seen = of(f.isCancelled());", "f.cancel(true);"),
    ("java/util/concurrent/FutureTask.get()Ljava/lang/Object;", TASK, "f.run(); try { seen = of(f.get()); } catch (CancellationException e) { seen = \"no\"; }", "f.cancel(false);"),
    ("java/util/concurrent/FutureTask.get(J", TASK, "try { seen = of(f.get(1, TimeUnit.SECONDS)); } catch (TimeoutException e) { seen = \"late\"; }", "f.run();"),
    ("java/util/concurrent/FutureTask.isDone", TASK, "= f.isDone()", "f.run();"),
    ("java/util/concurrent/FutureTask.isCancelled", TASK, "= f.isCancelled()", "f.cancel(false);"),
    ("java/util/concurrent/FutureTask.toString", TASK, "= f.toString().contains(\"Completed\")", "f.run();"),
    ("java/util/concurrent/ThreadPoolExecutor.execute", POOL, "try { p.execute(() -> { }); seen = \"yes\"; } catch (RejectedExecutionException e) { seen = \"no\"; } p.shutdown();", "p.shutdown();"),
    ("java/util/concurrent/ThreadPoolExecutor.shutdown", POOL, "p.shutdown();", "seen = of(p.isShutdown());"),
    ("java/util/concurrent/ThreadPoolExecutor.shutdownNow", POOL, "p.shutdownNow();", "seen = of(p.isShutdown());"),
    ("java/util/concurrent/ThreadPoolExecutor.remove", "final ThreadPoolExecutor p = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()); final Runnable r = () -> { }; { p.getQueue().add(r); }", "= p.remove(r)", "p.getQueue().clear();"),
    ("java/util/concurrent/ThreadPoolExecutor.purge", "final ThreadPoolExecutor p = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()); final FutureTask<Integer> f = new FutureTask<>(() -> 1); { p.getQueue().add(f); }", "p.purge(); seen = of(p.getQueue().size());", "f.cancel(false);"),
    ("java/util/concurrent/ThreadPoolExecutor.prestartCoreThread", POOL, "= p.prestartCoreThread()", "p.shutdown();"),
    ("java/util/concurrent/ThreadPoolExecutor.allowCoreThreadTimeOut", POOL, "p.allowCoreThreadTimeOut(true);", "seen = of(p.allowsCoreThreadTimeOut());"),
    ("java/util/concurrent/ThreadPoolExecutor.setCorePoolSize", POOL, "p.setCorePoolSize(0);", "seen = of(p.getCorePoolSize());"),
    ("java/util/concurrent/ThreadPoolExecutor.setMaximumPoolSize", POOL, "p.setMaximumPoolSize(3);", "seen = of(p.getMaximumPoolSize());"),
    ("java/util/concurrent/ThreadPoolExecutor.setKeepAliveTime", POOL, "p.setKeepAliveTime(3, TimeUnit.SECONDS);", "seen = of(p.getKeepAliveTime(TimeUnit.SECONDS));"),
    ("java/util/concurrent/ThreadPoolExecutor.setThreadFactory", "final ThreadPoolExecutor p = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()); final ThreadFactory t = Thread::new;", "p.setThreadFactory(t);", "seen = of(p.getThreadFactory() == t);"),
    ("java/util/concurrent/ThreadPoolExecutor.setRejectedExecutionHandler", "final ThreadPoolExecutor p = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()); final RejectedExecutionHandler t = (x, y) -> { };", "p.setRejectedExecutionHandler(t);", "seen = of(p.getRejectedExecutionHandler() == t);"),
    ("java/util/concurrent/ThreadPoolExecutor.isShutdown", POOL, "= p.isShutdown()", "p.shutdown();"),
    ("java/util/concurrent/ThreadPoolExecutor.isTerminating", "final ThreadPoolExecutor p = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()); { p.getQueue().add(() -> { }); }", "= p.isTerminating()", "p.shutdown();"),
    ("java/util/concurrent/ThreadPoolExecutor.isTerminated", POOL, "= p.isTerminated()", "p.shutdown();"),
    ("java/util/concurrent/ThreadPoolExecutor.getPoolSize", POOL, "seen = of(p.getPoolSize()); p.shutdown();", "p.prestartCoreThread();"),
    ("java/util/concurrent/ThreadPoolExecutor.getLargestPoolSize", POOL, "seen = of(p.getLargestPoolSize()); p.shutdown();", "p.prestartCoreThread();"),
    ("java/util/concurrent/ThreadPoolExecutor.getCorePoolSize", POOL, "= p.getCorePoolSize()", "p.setCorePoolSize(0);"),
    ("java/util/concurrent/ThreadPoolExecutor.getMaximumPoolSize", POOL, "= p.getMaximumPoolSize()", "p.setMaximumPoolSize(3);"),
    ("java/util/concurrent/ThreadPoolExecutor.getKeepAliveTime", POOL, "= p.getKeepAliveTime(TimeUnit.SECONDS)", "p.setKeepAliveTime(3, TimeUnit.SECONDS);"),
    ("java/util/concurrent/ThreadPoolExecutor.getThreadFactory", "final ThreadPoolExecutor p = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()); final ThreadFactory t = Thread::new;", "= p.getThreadFactory() == t", "p.setThreadFactory(t);"),
    ("java/util/concurrent/ThreadPoolExecutor.getRejectedExecutionHandler", "final ThreadPoolExecutor p = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()); final RejectedExecutionHandler t = (x, y) -> { };", "= p.getRejectedExecutionHandler() == t", "p.setRejectedExecutionHandler(t);"),
    ("java/util/concurrent/ThreadPoolExecutor.allowsCoreThreadTimeOut", POOL, "= p.allowsCoreThreadTimeOut()", "p.allowCoreThreadTimeOut(true);"),
    ("java/util/concurrent/ThreadPoolExecutor.awaitTermination", POOL, "= p.awaitTermination(1, TimeUnit.SECONDS)", "p.shutdown();"),
    ("java/util/concurrent/ThreadPoolExecutor.toString", POOL, "= p.toString().contains(\"Running\")", "p.shutdown();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.schedule", SCHEDULED, "try { s.schedule(() -> { }, 1, TimeUnit.SECONDS); seen = \"yes\"; } catch (RejectedExecutionException e) { seen = \"no\"; } s.shutdownNow();", "s.shutdown();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.scheduleAtFixedRate", SCHEDULED, "try { s.scheduleAtFixedRate(() -> { throw new Error(); }, 1, 1, TimeUnit.SECONDS); seen = \"yes\"; } catch (RejectedExecutionException e) { seen = \"no\"; } s.shutdownNow();", "s.shutdown();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.scheduleAtFixedRate", "int n; final ScheduledThreadPoolExecutor s = new ScheduledThreadPoolExecutor(1);", "try { s.scheduleAtFixedRate(() -> { if (n++ > 0) throw new Error(); }, 1, 1, TimeUnit.SECONDS); } catch (RejectedExecutionException e) { }", "seen = of(n); s.shutdown();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.scheduleWithFixedDelay", SCHEDULED, "try { s.scheduleWithFixedDelay(() -> { throw new Error(); }, 1, 1, TimeUnit.SECONDS); seen = \"yes\"; } catch (RejectedExecutionException e) { seen = \"no\"; } s.shutdownNow();", "s.shutdown();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.setContinueExistingPeriodicTasksAfterShutdownPolicy", SCHEDULED, "s.setContinueExistingPeriodicTasksAfterShutdownPolicy(true);", "seen = of(s.getContinueExistingPeriodicTasksAfterShutdownPolicy());"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.setExecuteExistingDelayedTasksAfterShutdownPolicy", SCHEDULED, "s.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);", "seen = of(s.getExecuteExistingDelayedTasksAfterShutdownPolicy());"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.setRemoveOnCancelPolicy", SCHEDULED, "s.setRemoveOnCancelPolicy(true);", "seen = of(s.getRemoveOnCancelPolicy());"),
("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.size", DELAYED, "= d.size()", "d.clear();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.isEmpty", DELAYED, "= d.isEmpty()", "d.clear();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.peek", DELAYED, "= d.peek() == null", "d.clear();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.contains", DELAYED, "= d.contains(x)", "d.clear();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.toArray", DELAYED, "= d.toArray().length", "d.clear();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.iterator", DELAYED, "= d.iterator().hasNext()", "d.clear();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.offer", DELAYED, "d.offer(new Stub());", "seen = of(d.size());"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.remove", DELAYED, "= d.remove(x)", "d.clear();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.clear", DELAYED, "d.clear();", "seen = of(d.size());"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.drainTo", DELAYED, "= d.drainTo(new ArrayList<>())", "d.clear();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue.poll()Ljava/util/concurrent/RunnableScheduledFuture;", DELAYED, "= d.poll() == null", "d.clear();"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.getContinueExistingPeriodicTasksAfterShutdownPolicy", SCHEDULED, "= s.getContinueExistingPeriodicTasksAfterShutdownPolicy()", "s.setContinueExistingPeriodicTasksAfterShutdownPolicy(true);"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.getExecuteExistingDelayedTasksAfterShutdownPolicy", SCHEDULED, "= s.getExecuteExistingDelayedTasksAfterShutdownPolicy()", "s.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.getRemoveOnCancelPolicy", SCHEDULED, "= s.getRemoveOnCancelPolicy()", "s.setRemoveOnCancelPolicy(true);"),
    ("java/util/concurrent/CompletableFuture.join", STAGE, "f.complete(1); seen = of(f.join());", "f.complete(2);"),
    ("java/util/concurrent/CompletableFuture.internalComplete", STAGE, "f.completeExceptionally(new Error());", "seen = of(f.isDone());"),
    ("java/util/concurrent/CompletableFuture.completeThrowable", STAGE, "f.completeAsync(() -> { throw new IllegalStateException(); }, Runnable::run);", "seen = of(f.isDone());"),
    ("java/util/concurrent/CompletableFuture$Completion.exec", STAGE, "f.thenAcceptAsync(x -> seen = of(x)).join();", "f.complete(1); f.obtrudeValue(2);"),
    ("java/util/concurrent/CompletableFuture.get()Ljava/lang/Object;", STAGE, "f.complete(1); seen = of(f.get());", "f.complete(2);"),
    ("java/util/concurrent/CompletableFuture.get(J", STAGE, "try { seen = of(f.get(1, TimeUnit.SECONDS)); } catch (TimeoutException e) { seen = \"late\"; }", "f.complete(2);"),
    ("java/util/concurrent/PriorityBlockingQueue.offer", "final PriorityBlockingQueue<Integer> q = new PriorityBlockingQueue<>();", "q.offer(5);", "seen = of(q.size());"),
    ("java/util/concurrent/PriorityBlockingQueue.removeEq", "final PriorityBlockingQueue<Integer> q = new PriorityBlockingQueue<>(List.of(5));", "Iterator<Integer> i = q.iterator(); i.next(); i.remove();", "seen = of(q.size());"),
    ("java/util/concurrent/SynchronousQueue$TransferStack.transfer", "final SynchronousQueue<Integer> q = new SynchronousQueue<>();", "= q.poll()", "q.offer(1, 1, TimeUnit.SECONDS);"),
    ("java/util/concurrent/SynchronousQueue$TransferQueue.transfer", "final SynchronousQueue<Integer> q = new SynchronousQueue<>(true);", "= q.poll()", "q.offer(1, 1, TimeUnit.SECONDS);"),
    ("java/util/concurrent/Exchanger.exchange", "final Exchanger<Integer> x = new Exchanger<>();", "try { seen = of(x.exchange(1, 1, TimeUnit.SECONDS)); } catch (TimeoutException e) { seen = \"late\"; }", "try { x.exchange(2, 1, TimeUnit.SECONDS); } catch (TimeoutException e) { }"),
    ("java/util/concurrent/Phaser.register", PHASER, "p.register();", "seen = of(p.getRegisteredParties());"),
    ("java/util/concurrent/Phaser.bulkRegister", PHASER, "p.bulkRegister(2);", "seen = of(p.getRegisteredParties());"),
    ("java/util/concurrent/Phaser.arrive", PHASER, "p.arrive();", "seen = of(p.getPhase());"),
    ("java/util/concurrent/Phaser.arriveAndDeregister", PHASER, "p.arriveAndDeregister();", "seen = of(p.isTerminated());"),
    ("java/util/concurrent/Phaser.arriveAndAwaitAdvance", PHASER, "p.arriveAndAwaitAdvance();", "seen = of(p.getPhase());"),
    ("java/util/concurrent/Phaser.internalAwaitAdvance", "final Phaser p = new Phaser(2);", "p.arriveAndAwaitAdvance();", "p.arrive(); seen = of(p.getPhase());"),
    ("java/util/concurrent/Phaser.onAdvance", PHASER, "p.arrive();", "seen = of(p.getUnarrivedParties());"),
    ("java/util/concurrent/Phaser.forceTermination", PHASER, "p.forceTermination();", "seen = of(p.isTerminated());"),
    ("java/util/concurrent/Phaser.awaitAdvance", PHASER, "p.arrive(); seen = of(p.awaitAdvance(0));", "p.arrive();"),
    ("java/util/concurrent/Phaser.awaitAdvanceInterruptibly(I)I", PHASER, "p.arrive(); seen = of(p.awaitAdvanceInterruptibly(0));", "p.arrive();"),
    ("java/util/concurrent/Phaser.awaitAdvanceInterruptibly(IJ", PHASER, "try { seen = of(p.awaitAdvanceInterruptibly(0, 1, TimeUnit.SECONDS)); } catch (TimeoutException e) { seen = \"late\"; }", "p.arrive();"),
    ("java/util/concurrent/Phaser.getPhase", PHASER, "= p.getPhase()", "p.arrive();"),
    ("java/util/concurrent/Phaser.getRegisteredParties", PHASER, "= p.getRegisteredParties()", "p.register();"),
    ("java/util/concurrent/Phaser.getArrivedParties", "final Phaser p = new Phaser(2);", "= p.getArrivedParties()", "p.arrive();"),
    ("java/util/concurrent/Phaser.getUnarrivedParties", "final Phaser p = new Phaser(2);", "= p.getUnarrivedParties()", "p.arrive();"),
    ("java/util/concurrent/Phaser.isTerminated", PHASER, "= p.isTerminated()", "p.forceTermination();"),
    ("java/util/concurrent/Phaser.toString", PHASER, "= p.toString().contains(\"phase = 0\")", "p.arrive();"),
    ("java/util/concurrent/ForkJoinTask.join", FORKED, "t.fork(); seen = of(t.join());", "x = 2;"),
    ("java/util/concurrent/ForkJoinTask.quietlyJoin", FORKED, "t.fork(); t.quietlyJoin(); seen = of(t.getRawResult());", "x = 2;"),
    ("java/util/concurrent/ForkJoinPool.shutdown", "final ForkJoinPool p = new ForkJoinPool(1);", "p.shutdown();", "seen = of(p.isTerminated());"),
    ("java/util/concurrent/ForkJoinPool.awaitTermination", "final ForkJoinPool p = new ForkJoinPool(1);", "= p.awaitTermination(1, TimeUnit.SECONDS)", "p.shutdown();"),
    ("java/util/concurrent/ForkJoinPool.isTerminated", "final ForkJoinPool p = new ForkJoinPool(1);", "= p.isTerminated()", "p.shutdown();"),
    ("java/util/concurrent/ConcurrentHashMap.initTable", MAP, "m.put(1, 1);", "m.put(2, 2); seen = of(m);"),
    ("java/util/concurrent/ConcurrentHashMap.addCount", MAP, "m.put(1, 1);", "seen = of(m.size());"),
];

const FORKED: &str = "int x = 1; final ForkJoinTask<Integer> t = ForkJoinTask.adapt(() -> x);";

/// What is done to each of the blocking queues, of class `Q`: method, call, other thread. `q` holds 1 and has
/// room for one more; `e` is empty; `l` is a list that holds a list.
#[rustfmt::skip]
pub const QUEUES: &[(&str, &str, &str)] = &[
    ("put", "q.put(5);", "seen = of(q);"),
    ("putFirst", "q.putFirst(5);", "seen = of(q);"),
    ("putLast", "q.putLast(5);", "seen = of(q);"),
    ("offer(Ljava/lang/Object;J", "q.offer(5, 1, TimeUnit.SECONDS);", "seen = of(q);"),
    ("offer(Ljava/lang/Object;)Z", "= q.offer(5)", "q.offer(6);"),
    ("offerFirst(Ljava/lang/Object;J", "q.offerFirst(5, 1, TimeUnit.SECONDS);", "seen = of(q);"),
    ("offerLast(Ljava/lang/Object;J", "q.offerLast(5, 1, TimeUnit.SECONDS);", "seen = of(q);"),
    ("offerFirst(Ljava/lang/Object;)Z", "= q.offerFirst(5)", "q.offer(6);"),
    ("offerLast(Ljava/lang/Object;)Z", "= q.offerLast(5)", "q.offer(6);"),
    ("take", "= q.take()", "Integer x = q.poll(); if (x != null) q.add(x + 10);"),
    ("takeFirst", "= q.takeFirst()", "Integer x = q.poll(); if (x != null) q.add(x + 10);"),
    ("takeLast", "= q.takeLast()", "q.add(6);"),
    ("poll(J", "= e.poll(1, TimeUnit.SECONDS)", "e.add(6);"),
    ("poll()Ljava/lang/Object;", "= e.poll()", "e.add(6);"),
    ("pollFirst(J", "= e.pollFirst(1, TimeUnit.SECONDS)", "e.add(6);"),
    ("pollLast(J", "= e.pollLast(1, TimeUnit.SECONDS)", "e.add(6);"),
    ("pollFirst()Ljava/lang/Object;", "= e.pollFirst()", "e.add(6);"),
    ("pollLast()Ljava/lang/Object;", "= e.pollLast()", "e.add(6);"),
    ("peek", "= e.peek()", "e.add(6);"),
    ("peekFirst", "= e.peekFirst()", "e.add(6);"),
    ("peekLast", "= e.peekLast()", "e.add(6);"),
    ("size", "= q.size()", "q.add(6);"),
    ("remainingCapacity", "= q.remainingCapacity()", "q.add(6);"),
    ("contains", "= q.contains(6)", "q.add(6);"),
    ("contains", "= l.contains(List.of(4, 5))", "l.peek().add(5);"),
    ("toArray", "= q.toArray().length", "q.add(6);"),
    ("toArray", "Object[] a = shared; q.toArray(a); seen = \"\";", "seen = of(shared[0]);"),
    ("toString", "= q.toString()", "q.add(6);"),
    ("toString", "= l.toString()", "l.peek().add(5);"),
    ("iterator", "= q.iterator().next()", "Integer x = q.poll(); q.add(6);"),
    ("descendingIterator", "= q.descendingIterator().next()", "q.add(6);"),
    ("forEach", "int[] n = {0}; q.forEach(x -> n[0] += x); seen = of(n[0]);", "q.add(6);"),
    ("remove", "= q.remove(6)", "q.add(6);"),
    ("remove", "= l.remove(List.of(4, 5))", "l.peek().add(5);"),
    ("removeFirstOccurrence", "= q.removeFirstOccurrence(6)", "q.add(6);"),
    ("removeLastOccurrence", "= q.removeLastOccurrence(6)", "q.add(6);"),
    ("clear", "q.clear();", "seen = of(q);"),
    ("drainTo", "= q.drainTo(new ArrayList<>())", "q.add(6);"),
    ("drainTo", "q.drainTo(target);", "seen = of(target.size());"),
    ("addAll", "q.addAll(List.of(5));", "seen = of(q);"),
    ("removeIf", "= q.removeIf(x -> x == 6)", "q.add(6);"),
    ("removeAll", "= q.removeAll(List.of(6))", "q.add(6);"),
    ("retainAll", "= q.retainAll(List.of(1))", "q.add(6);"),
];

/// The same for their iterators and spliterators, by the end of the class's name.
#[rustfmt::skip]
pub const ITERATORS: &[(&str, &str, &str, &str)] = &[
    ("Itr", "next", "Iterator<Integer> i = q.iterator(); i.next(); seen = of(i.hasNext());", "q.add(6);"),
    ("Itr", "hasNext", "Iterator<Integer> i = q.iterator(); i.next(); seen = of(i.hasNext());", "q.add(6);"),
    ("Itr", "remove", "Iterator<Integer> i = q.iterator(); i.next(); i.remove();", "seen = of(q);"),
    ("Itr", "forEachRemaining", "int[] n = {0}; q.iterator().forEachRemaining(x -> n[0] += x); seen = of(n[0]);", "q.add(6);"),
    ("Spliterator", "tryAdvance", "Spliterator<Integer> s = q.spliterator(); int[] n = {0}; s.tryAdvance(x -> n[0] += x); s.tryAdvance(x -> n[0] += x); seen = of(n[0]);", "q.add(6);"),
    ("Spliterator", "forEachRemaining", "int[] n = {0}; q.spliterator().forEachRemaining(x -> n[0] += x); seen = of(n[0]);", "q.add(6);"),
];

/// Rows that a program cannot call by themselves, and the row whose program does, or the reason why two
/// outcomes are not to be had.
#[rustfmt::skip]
pub const INDIRECT: &[(&str, &str)] = &[
    ("java/util/concurrent/ThreadPoolExecutor.getCompletedTaskCount", "the pools of a program that asks for it run the JDK's own code"),
    ("java/util/concurrent/ThreadPoolExecutor.getTaskCount", "the pools of a program that asks for it run the JDK's own code"),
    ("java/util/concurrent/ThreadPoolExecutor.getActiveCount", "the pools of a program that asks for it run the JDK's own code"),
    ("java/util/concurrent/ThreadPoolExecutor.ensurePrestart", "java/util/concurrent/ScheduledThreadPoolExecutor.schedule"),
    ("java/util/concurrent/ThreadPoolExecutor.addWorker", "java/util/concurrent/ThreadPoolExecutor.prestartCoreThread"),
    ("java/util/concurrent/ThreadPoolExecutor.runWorker", "java/util/concurrent/ThreadPoolExecutor.execute"),
    ("java/util/concurrent/ThreadPoolExecutor.getTask", "java/util/concurrent/ThreadPoolExecutor.execute"),
    ("java/util/concurrent/ThreadPoolExecutor.processWorkerExit", "java/util/concurrent/ThreadPoolExecutor.execute"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.reExecutePeriodic", "java/util/concurrent/ScheduledThreadPoolExecutor.scheduleAtFixedRate"),
    ("java/util/concurrent/ScheduledThreadPoolExecutor.canRunInCurrentRunState", "java/util/concurrent/ScheduledThreadPoolExecutor.schedule"),
    ("sun/management/ThreadImpl.findDeadlockedThreads0", "a program that has a deadlock to find fails"),
    ("sun/management/ThreadImpl.findMonitorDeadlockedThreads0", "a program that has a deadlock to find fails"),
    ("java/util/concurrent/ForkJoinTask.join", "its value is set before it can end"),
    ("java/util/concurrent/ForkJoinTask.quietlyJoin", "its value is set before it can end"),
];

/// Rows that no program of two threads calls, and why.
#[rustfmt::skip]
pub const NEVER_CALLED: &[(&str, &str)] = &[
    ("java/util/concurrent/ThreadPoolExecutor.getActiveCount", "the pools of a program that asks for it run the JDK's own code"),
    ("java/util/concurrent/ThreadPoolExecutor.getTaskCount", "the pools of a program that asks for it run the JDK's own code"),
    ("java/util/concurrent/ThreadPoolExecutor.getCompletedTaskCount", "the pools of a program that asks for it run the JDK's own code"),
];
