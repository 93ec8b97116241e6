// ok; guava
import com.google.common.util.concurrent.*; import java.util.concurrent.atomic.*;
public class Settable { public static void main(String[] a) throws Exception {
  SettableFuture<String> f = SettableFuture.create(); AtomicInteger n = new AtomicInteger();
  f.addListener(n::incrementAndGet, MoreExecutors.directExecutor());
  Thread t = new Thread(() -> f.set("a")); t.start(); boolean mine = f.set("b"); t.join(); System.out.println(f.get()); if (n.get() != 1) throw new AssertionError(); } }
