/** Threads that meet in the initialiser of a class, and one whose initialisers need each other. */
public class Lazy {
    static class Settings {
        static int size = compute();

        static int compute() {
            synchronized (Lazy.class) {
                return ++count;
            }
        }
    }

    static class First {
        static final Object other = new Second();
        static final int value = Integer.parseInt("1");
    }

    static class Second {
        static final Object other = new First();
    }

    static int count;

    public static void main(String[] args) throws InterruptedException {
        if (args.length > 0) {
            new Thread(First::new).start();
            new Thread(Second::new).start();
            return;
        }
        Thread one = new Thread(() -> System.out.println(Settings.size));
        Thread two = new Thread(() -> System.out.println(Settings.size));
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
