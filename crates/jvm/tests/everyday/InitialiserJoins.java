//@ class initialisers
//@ verdict bug
/** An initialiser waits for a thread that needs the class. */
public class InitialiserJoins {
    static int value;
    static final class Lazy {
        static int loaded;
        static {
            Thread loader = new Thread() {
                @Override
                public void run() {
                    loaded = 1; //~ deadlock
                }
            };
            loader.start();
            try {
                loader.join(); //~ deadlock
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) {
        System.out.println(Lazy.loaded);
    }
}
