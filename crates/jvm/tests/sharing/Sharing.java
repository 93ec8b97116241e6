import java.util.*; import java.io.*; import java.util.logging.*;
/** Two threads of which one uses the library on an object that the other changes. */
public class Sharing {
  static final List<Integer> list = new ArrayList<>(List.of(1, 2));
  static volatile Object sink;
  static String run(Runnable r) { try { r.run(); return "fine"; } catch (RuntimeException e) { return e.getClass().getSimpleName(); } }
  public static void main(String[] args) throws Exception {
    String what = args[0];
    Runnable reader, writer;
    writer = () -> list.add(3);
    StringBuilder sb = new StringBuilder("ab");
    char[] chars = {'a', 'b'};
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream ps = new PrintStream(bytes);
    StringWriter sw = new StringWriter();
    PrintWriter pw = new PrintWriter(sw);
    BufferedWriter bw = new BufferedWriter(sw);
    Random random = new Random(1);
    java.text.SimpleDateFormat sdf = new java.text.SimpleDateFormat("yyyy");
    String[] out = new String[1];
    Thread me = Thread.currentThread();
    switch (what) {
      case "println": reader = () -> System.out.println(list); break;
      case "print": reader = () -> System.out.print(list); break;
      case "printf": reader = () -> System.out.printf("%s%n", list); break;
      case "format": reader = () -> sink = String.format("%s", list); break;
      case "formatted": reader = () -> sink = "%s".formatted(list); break;
      case "concat": reader = () -> sink = "" + list; break;
      case "append": reader = () -> sink = new StringBuilder().append(list); break;
      case "valueOf": reader = () -> sink = String.valueOf(list); break;
      case "join": reader = () -> sink = String.join(",", (List<String>) (List<?>) List.of("a")) + list; break;
      case "new": reader = () -> out[0] = new ArrayList<>(list).toString(); writer = () -> list.set(0, 9); break;
      case "grow": { List<Integer> l = new ArrayList<>(1); l.add(1); reader = () -> l.add(2); writer = () -> l.set(0, 9);
        go(reader, writer); System.out.println(l); return; }
      case "chars": reader = () -> out[0] = String.valueOf(chars); writer = () -> chars[1] = 'c'; break;
      case "newstring": reader = () -> out[0] = new String(chars); writer = () -> chars[1] = 'c'; break;
      case "sbappend": reader = () -> out[0] = sb.toString(); writer = () -> sb.append('c'); break;
      case "ps": reader = () -> out[0] = bytes.toString(); writer = () -> ps.print("x"); break;
      case "pw": reader = () -> out[0] = sw.toString(); writer = () -> pw.print("x"); break;
      case "bw": reader = () -> out[0] = sw.toString(); writer = () -> { try { bw.write("x"); bw.flush(); } catch (IOException e) { } }; break;
      case "random": reader = () -> out[0] = "" + random.nextInt(10); writer = () -> random.nextInt(10); break;
      case "date": reader = () -> out[0] = sdf.format(new Date(0)); writer = () -> sdf.applyPattern("MM"); break;
      case "name": reader = () -> out[0] = me.getName(); writer = () -> me.setName("x"); break;
      case "priority": reader = () -> out[0] = "" + me.getPriority(); writer = () -> me.setPriority(3); break;
      case "daemon": { Thread t = new Thread(); reader = () -> out[0] = "" + t.isDaemon(); writer = () -> t.setDaemon(true); break; }
      case "handler": reader = () -> out[0] = "" + (Thread.getDefaultUncaughtExceptionHandler() == null); writer = () -> Thread.setDefaultUncaughtExceptionHandler((a, b) -> { }); break;
      case "ownhandler": { Thread.UncaughtExceptionHandler h = (a, b) -> { }; reader = () -> out[0] = "" + (me.getUncaughtExceptionHandler() == h); writer = () -> me.setUncaughtExceptionHandler(h); break; }
      case "loader": { ClassLoader l = new ClassLoader() { }; reader = () -> out[0] = "" + (me.getContextClassLoader() == l); writer = () -> me.setContextClassLoader(l); break; }
      case "locale": reader = () -> out[0] = String.format("%,d", 12345); writer = () -> Locale.setDefault(Locale.GERMANY); break;
      case "property": reader = () -> out[0] = System.getProperty("x"); writer = () -> System.setProperty("x", "y"); break;
      case "inherit": { InheritableThreadLocal<int[]> i = new InheritableThreadLocal<>(); int[] a = {0}; i.set(a);
        Thread t = new Thread(() -> i.get()[0] = 1); t.start(); out[0] = "" + i.get()[0]; t.join(); System.out.println(out[0]); return; }
      case "log": { Logger log = Logger.getLogger("x"); log.setUseParentHandlers(false); List<String> got = Collections.synchronizedList(new ArrayList<>());
        Handler h = new Handler() { public void publish(LogRecord r) { got.add(r.getMessage()); } public void flush() { } public void close() { } };
        log.addHandler(h); reader = () -> log.info("a"); writer = () -> log.info("b"); go(reader, writer); System.out.println(got); return; }
      case "level": { Logger log = Logger.getLogger("x"); reader = () -> out[0] = "" + log.isLoggable(Level.INFO); writer = () -> log.setLevel(Level.OFF); break; }
      case "suppressed": { Exception e = new Exception(); reader = () -> out[0] = "" + e.getSuppressed().length; writer = () -> e.addSuppressed(new Error()); break; }
      case "trace": { Exception e = new Exception(); reader = () -> out[0] = "" + e.getStackTrace().length; writer = () -> e.setStackTrace(new StackTraceElement[0]); break; }
      case "record": { Holder h = new Holder(new int[] {1}, list); reader = () -> out[0] = h.toString().replaceAll("@[0-9a-f]+", ""); break; }
      case "sort": { Integer[] a = {2, 1}; reader = () -> { Integer[] b = a.clone(); Arrays.sort(b); out[0] = Arrays.toString(b); }; writer = () -> a[0] = 0; break; }
      case "buffer": { java.nio.ByteBuffer b = java.nio.ByteBuffer.allocate(8); reader = () -> out[0] = "" + b.getInt(0); writer = () -> b.putInt(0, 258); break; }
      case "intbuffer": { java.nio.IntBuffer b = java.nio.IntBuffer.allocate(2); reader = () -> { int[] x = new int[2]; b.get(0, x); out[0] = x[0] + "," + x[1]; }; writer = () -> b.put(0, new int[] {3, 4}); break; }
      case "bitset": { BitSet b = new BitSet(); reader = () -> out[0] = "" + b; writer = () -> b.set(3); break; }
      case "crc": { byte[] b = new byte[3]; reader = () -> { java.util.zip.CRC32 c = new java.util.zip.CRC32(); c.update(b); out[0] = "" + c.getValue(); }; writer = () -> b[0] = 1; break; }
      case "lambda": { int[] a = {1}; java.util.function.Supplier<Integer> s = () -> a[0]; reader = () -> out[0] = "" + s.get(); writer = () -> a[0] = 2; break; }
      case "half": { go(() -> new Half(), () -> { Half h = Half.seen; out[0] = h == null ? "none" : "" + h.x; }); System.out.println(out[0]); return; }
      case "bean": { reader = () -> out[0] = new StringJoiner(",").add("" + list).toString(); break; }
      default: throw new Error(what);
    }
    String r = go(reader, writer);
    System.out.println(r + " " + out[0]);
  }
  record Holder(int[] a, List<Integer> l) { }
  static class Half { static volatile Half seen; final int x; Half() { seen = this; x = 5; } }
  static String go(Runnable reader, Runnable writer) throws Exception {
    Thread t = new Thread(() -> run(writer)); t.start(); String r = run(reader); t.join(); return r;
  }
}
