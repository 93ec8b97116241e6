//@ class threads
//@ verdict bug
/** A base class starts a thread that uses a final field of the class derived from it. */
public class StartedByBase {
    static abstract class Base {
        final Thread worker = new Thread(this::work);
        Base() { worker.start(); }
        abstract void work();
    }
    static final class Derived extends Base {
        private final String name;
        Derived(String name) { this.name = name; }
        @Override
        void work() {
            name.length(); //~ exception
        }
    }

    public static void main(String[] args) throws InterruptedException {
        new Derived("x").worker.join();
    }
}
