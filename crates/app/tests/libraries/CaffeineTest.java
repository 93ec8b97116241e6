// incomplete; caffeine
import com.github.benmanes.caffeine.cache.*;
public class CaffeineTest { public static void main(String[] a) throws Exception {
  Cache<String,Integer> c = Caffeine.newBuilder().maximumSize(10).executor(Runnable::run).build();
  Thread t = new Thread(() -> c.get("k", k -> 1)); t.start(); int v = c.get("k", k -> 1); t.join(); if (v != 1) throw new AssertionError(); } }
