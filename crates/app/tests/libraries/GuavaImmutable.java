// ok; guava
import com.google.common.collect.*; import com.google.common.base.*; 
public class GuavaImmutable { static volatile ImmutableList<String> l = ImmutableList.of();
 public static void main(String[] a) throws Exception {
  Thread t = new Thread(() -> l = ImmutableList.<String>builder().addAll(l).add("x").build()); t.start();
  l = ImmutableList.<String>builder().addAll(l).add("y").build(); t.join();
  System.out.println(Joiner.on(",").join(l)); } }
