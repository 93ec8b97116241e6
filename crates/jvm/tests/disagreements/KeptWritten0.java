// really: Complete
// a guarded list, checked and then used
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;
public class KeptWritten0 {
static final String[] results = new String[1];
static final List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1)));
static String body0() { String r = "";
{ Pause.now(); Object o = null; try { if (!list.isEmpty()) o = list.remove(0); } catch (Throwable e) { o = e.getClass().getSimpleName(); } r += " " + o; }
return r; }
public static void main(String[] args) throws Exception {
Thread t0 = new Thread(() -> results[0] = body0());
t0.start();
t0.join();
String out = String.join(" /", results);
System.out.println(out); } }
