// bug; guava
import com.google.common.collect.*;
public class GuavaMultimap { public static void main(String[] a) throws Exception {
  Multimap<String,Integer> m = ArrayListMultimap.create();
  Thread t = new Thread(() -> m.put("a", 1)); t.start(); m.put("a", 2); t.join();
  if (m.size() != 2) throw new AssertionError("lost " + m); } }
