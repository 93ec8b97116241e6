//@ switches 2
/** Two threads find that there is no instance yet, and make one each. */
public class LazySingleton {
    private static LazySingleton instance;

    static LazySingleton careless() {
        if (instance == null) {
            instance = new LazySingleton();
        }
        return instance;
    }

    private static final class Holder {
        static final LazySingleton INSTANCE = new LazySingleton();
    }

    public static void main(String[] args) throws InterruptedException {
        boolean fixed = args.length > 0;
        LazySingleton[] seen = new LazySingleton[2];
        Thread other = new Thread(() -> seen[1] = fixed ? Holder.INSTANCE : careless());
        other.start();
        seen[0] = fixed ? Holder.INSTANCE : careless();
        other.join();
        if (seen[0] != seen[1]) {
            throw new AssertionError("two singletons"); //~ assertion
        }
    }
}
