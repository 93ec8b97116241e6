// ok; commons-lang3
import org.apache.commons.lang3.*; import org.apache.commons.lang3.concurrent.*;
public class Lang3 { static int made; public static void main(String[] a) throws Exception {
  LazyInitializer<Integer> l = new LazyInitializer<>() { protected Integer initialize() { return ++made; } };
  Thread t = new Thread(() -> { try { l.get(); } catch (ConcurrentException e) { throw new RuntimeException(e); } }); t.start(); l.get(); t.join();
  if (made != 1) throw new AssertionError(made); System.out.println(StringUtils.capitalize("ok")); } }
