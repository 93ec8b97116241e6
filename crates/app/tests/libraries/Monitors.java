// incomplete; guava
import com.google.common.util.concurrent.*;
public class Monitors { static int v; public static void main(String[] a) throws Exception {
  Monitor m = new Monitor(); Monitor.Guard g = m.newGuard(() -> v > 0);
  Thread t = new Thread(() -> { m.enter(); try { v = 1; } finally { m.leave(); } }); t.start();
  m.enterWhen(g); try { v--; } finally { m.leave(); } t.join(); if (v != 0) throw new AssertionError(); } }
