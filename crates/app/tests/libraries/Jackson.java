// ok; jackson-databind jackson-core jackson-annotations
import com.fasterxml.jackson.databind.*; import java.util.*;
public class Jackson { public static class P { public String name = "n"; public int age = 3; }
 static String out; public static void main(String[] a) throws Exception { ObjectMapper m = new ObjectMapper();
  Thread t = new Thread(() -> { try { out = m.writeValueAsString(new P()); } catch (Exception e) { throw new RuntimeException(e); } }); t.start(); t.join();
  P p = m.readValue(out, P.class); if (p.age != 3) throw new AssertionError(); System.out.println(out); } }
