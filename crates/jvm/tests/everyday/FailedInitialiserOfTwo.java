//@ class initialisers
//@ verdict bug
/** Who comes second to a class that has failed gets another error. */
public class FailedInitialiserOfTwo {
    static final class Broken {
        static int value = Integer.parseInt("none");
    }

    public static void main(String[] args) throws InterruptedException {
        String[] seen = new String[1];
        Thread other = new Thread(() -> {
            try {
                seen[0] = "" + Broken.value;
            } catch (LinkageError e) {
                seen[0] = e.getClass().getSimpleName();
            }
        });
        other.start();
        String mine;
        try {
            mine = "" + Broken.value;
        } catch (LinkageError e) {
            mine = e.getClass().getSimpleName();
        }
        other.join();
        assert !mine.equals(seen[0]);
        assert mine.equals("ExceptionInInitializerError"); //~ assertion
    }
}
