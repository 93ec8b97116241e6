// ok; commons-pool2
import org.apache.commons.pool2.*; import org.apache.commons.pool2.impl.*;
public class Pool2 { public static void main(String[] a) throws Exception {
  GenericObjectPoolConfig<StringBuilder> cfg = new GenericObjectPoolConfig<>(); cfg.setMaxTotal(1); cfg.setJmxEnabled(false);
  GenericObjectPool<StringBuilder> p = new GenericObjectPool<>(new BasePooledObjectFactory<>() { public StringBuilder create() { return new StringBuilder(); } public PooledObject<StringBuilder> wrap(StringBuilder b) { return new DefaultPooledObject<>(b); } }, cfg);
  Thread t = new Thread(() -> { try { StringBuilder b = p.borrowObject(); b.append("x"); p.returnObject(b); } catch (Exception e) { throw new RuntimeException(e); } }); t.start();
  StringBuilder b = p.borrowObject(); b.append("y"); p.returnObject(b); t.join(); System.out.println(p.getNumIdle()); } }
