//@ class initialisers
//@ verdict bug
/** Two classes need each other. */
public class InitialisersCycle {
    static final class Left {
        static int value = Right.value + 1; //~ deadlock
    }
    static final class Right {
        static int value = new Object().hashCode() == 0 ? 0 : Left.value + 1; //~ deadlock
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> System.out.println(Left.value));
        other.start();
        System.out.println(Right.value);
        other.join();
    }
}
