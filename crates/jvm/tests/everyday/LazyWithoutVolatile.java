//@ class memory
//@ verdict ok
//@ racy
/** Double-checked locking with a plain field. */
public class LazyWithoutVolatile {
    static final class Service { int port = 80; }
    static Service service;

    static Service get() {
        if (service == null) { //~ race
            synchronized (LazyWithoutVolatile.class) {
                if (service == null) service = new Service(); //~ race
            }
        }
        return service; //~ race
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(LazyWithoutVolatile::get);
        other.start();
        assert get().port == 80; //~ race
        other.join();
    }
}
