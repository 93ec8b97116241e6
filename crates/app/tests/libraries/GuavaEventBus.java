// incomplete; guava
import com.google.common.eventbus.*;
public class GuavaEventBus { int n; @Subscribe public void on(String s) { n++; }
 public static void main(String[] a) throws Exception { EventBus b = new EventBus(); GuavaEventBus g = new GuavaEventBus(); b.register(g);
  Thread t = new Thread(() -> b.post("x")); t.start(); b.post("y"); t.join(); if (g.n != 2) throw new AssertionError(g.n); } }
