// incomplete; guava
import com.google.common.util.concurrent.*; 
public class Service { static int ran; public static void main(String[] a) throws Exception {
  com.google.common.util.concurrent.Service s = new AbstractExecutionThreadService() { protected void run() { ran++; } };
  s.startAsync(); s.awaitTerminated(); if (ran != 1) throw new AssertionError(); } }
