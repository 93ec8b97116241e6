// ok; commons-lang3
import org.apache.commons.lang3.concurrent.*; import java.util.concurrent.*;
public class Lang3Pool { public static void main(String[] a) throws Exception {
  BackgroundInitializer<String> b = new BackgroundInitializer<>() { protected String initialize() { return "done"; } };
  b.start(); System.out.println(b.get()); } }
