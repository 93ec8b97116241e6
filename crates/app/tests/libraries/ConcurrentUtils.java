// bug; commons-lang3
import org.apache.commons.lang3.concurrent.*; import org.apache.commons.lang3.mutable.*;
public class ConcurrentUtils { public static void main(String[] a) throws Exception {
  MutableInt m = new MutableInt(); Thread t = new Thread(m::increment); t.start(); m.increment(); t.join(); if (m.intValue() != 2) throw new AssertionError(m.intValue()); } }
