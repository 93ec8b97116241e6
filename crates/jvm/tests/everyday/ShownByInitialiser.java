//@ class initialisers
//@ verdict ok
/** A method of an object that an initialiser has shown waits for the initialiser. */
public class ShownByInitialiser {
    static volatile Helper helper;

    static final class Helper {
        static int base = 1;

        static {
            helper = new Helper();
            base = 2;
        }

        int base() {
            return base;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(Helper::new);
        other.start();
        Helper seen = helper;
        if (seen != null) assert seen.base() == 2;
        other.join();
    }
}
