// really: Complete
// a counter in a concurrent map
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;
public class KeptWritten1 {
static final String[] results = new String[1];
static final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>(Map.of("a", 0));
static String body0() { String r = "";
{ Pause.now(); Object o = null; try { map.merge("a", 1, Integer::sum); } catch (Throwable e) { o = e.getClass().getSimpleName(); } r += " " + o; }
return r; }
public static void main(String[] args) throws Exception {
Thread t0 = new Thread(() -> results[0] = body0());
t0.start();
t0.join();
String out = String.join(" /", results);
System.out.println(out); } }
