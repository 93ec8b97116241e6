import java.util.concurrent.*;
public class ShortLimit {
    public static void main(String[] a) throws Exception {
        Semaphore s = new Semaphore(0);
        new Thread(s::release).start();
        boolean got = s.tryAcquire(10, TimeUnit.MILLISECONDS);
        assert got;
    }
}
