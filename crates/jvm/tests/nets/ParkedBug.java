import java.util.concurrent.locks.LockSupport;

/** A permit is given after the flag is set, or before. This one is wrong. */
public class ParkedBug {
    static volatile boolean go;
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            while (!go) LockSupport.park();
        });
        t.start();
        LockSupport.unpark(t);
        go = true;
        t.join();
    }
}
