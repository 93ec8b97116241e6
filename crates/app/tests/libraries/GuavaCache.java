// incomplete; guava
import com.google.common.cache.*;
public class GuavaCache { public static void main(String[] a) throws Exception {
  LoadingCache<String,Integer> c = CacheBuilder.newBuilder().maximumSize(10).build(new CacheLoader<>() { public Integer load(String k) { return k.length(); } });
  Thread t = new Thread(() -> c.getUnchecked("abc")); t.start(); int v = c.get("abc"); t.join();
  if (v != 3) throw new AssertionError(); System.out.println(c.size()); } }
