// really: Complete
// a map that computes once
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;
public class KeptWritten2 {
static final String[] results = new String[1];
static final AtomicInteger calls = new AtomicInteger(); static final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
static String body0() { String r = "";
{ Pause.now(); Object o = null; try { o = map.computeIfAbsent(1, k -> calls.incrementAndGet()); } catch (Throwable e) { o = e.getClass().getSimpleName(); } r += " " + o; }
return r; }
public static void main(String[] args) throws Exception {
Thread t0 = new Thread(() -> results[0] = body0());
t0.start();
t0.join();
String out = String.join(" /", results);
System.out.println(out); } }
