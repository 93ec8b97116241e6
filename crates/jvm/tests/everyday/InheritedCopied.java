//@ class threads
//@ verdict ok
/** A child's value is made from the parent's when the child is made. */
public class InheritedCopied {
    static final InheritableThreadLocal<Integer> LOCAL = new InheritableThreadLocal<>() {
        @Override
        protected Integer childValue(Integer parent) {
            return parent + 10;
        }
    };

    public static void main(String[] args) throws InterruptedException {
        LOCAL.set(1);
        Thread other = new Thread(() -> {
            assert LOCAL.get() == 11;
        });
        LOCAL.set(2);
        other.start();
        other.join();
        assert LOCAL.get() == 2;
    }
}
