// ok; guava
import com.google.common.util.concurrent.*; import com.google.common.base.*;
public class RateLimit { public static void main(String[] a) throws Exception {
  Supplier<Integer> s = Suppliers.memoize(() -> 42); Thread t = new Thread(s::get); t.start(); if (s.get() != 42) throw new AssertionError(); t.join();
  Striped<java.util.concurrent.locks.Lock> st = Striped.lock(4); var l = st.get("x"); l.lock(); l.unlock(); 
  RateLimiter r = RateLimiter.create(1000); r.acquire(); } }
