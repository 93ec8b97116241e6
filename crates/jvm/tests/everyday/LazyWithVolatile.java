//@ class memory
//@ verdict ok
/** Double-checked locking as it should be. */
public class LazyWithVolatile {
    static final class Service { int port = 80; }
    static volatile Service service;

    static Service get() {
        Service found = service;
        if (found == null) {
            synchronized (LazyWithVolatile.class) {
                found = service;
                if (found == null) service = found = new Service();
            }
        }
        return found;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(LazyWithVolatile::get);
        other.start();
        assert get().port == 80;
        other.join();
    }
}
