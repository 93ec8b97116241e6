import java.util.concurrent.locks.LockSupport;

/** A permit is given after the flag is set, or before. This one is right. */
public class ParkedFix {
    static volatile boolean go;
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> {
            while (!go) LockSupport.park();
        });
        t.start();
        go = true;
        LockSupport.unpark(t);
        t.join();
    }
}
