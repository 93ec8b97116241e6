// incomplete; gson
import com.google.gson.*; import java.util.*;
public class GsonTest { static class P { String name = "n"; int age = 3; List<Integer> l = List.of(1,2); }
 public static void main(String[] a) throws Exception { Gson g = new Gson(); String[] out = new String[1];
  Thread t = new Thread(() -> out[0] = g.toJson(new P())); t.start(); String mine = g.toJson(new P()); t.join();
  if (!mine.equals(out[0])) throw new AssertionError(); System.out.println(g.fromJson(mine, P.class).age); } }
