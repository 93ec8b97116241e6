// bug; commons-collections4
import org.apache.commons.collections4.map.*; import org.apache.commons.collections4.*;
public class Collections4 { public static void main(String[] a) throws Exception {
  LRUMap<String,Integer> m = new LRUMap<>(3); Thread t = new Thread(() -> m.put("a", 1)); t.start(); m.put("b", 2); t.join();
  if (m.size() != 2) throw new AssertionError(m.toString()); } }
