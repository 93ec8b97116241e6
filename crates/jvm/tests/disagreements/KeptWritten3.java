// really: Complete
// an iterator over a copy on write
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;
public class KeptWritten3 {
static final String[] results = new String[1];
static final CopyOnWriteArrayList<Integer> list = new CopyOnWriteArrayList<>(List.of(1, 2));
static String body0() { String r = "";
{ Pause.now(); Object o = null; try { int sum = 0; for (int i : list) sum += i; o = sum; } catch (Throwable e) { o = e.getClass().getSimpleName(); } r += " " + o; }
return r; }
public static void main(String[] args) throws Exception {
Thread t0 = new Thread(() -> results[0] = body0());
t0.start();
t0.join();
String out = String.join(" /", results);
System.out.println(out); } }
