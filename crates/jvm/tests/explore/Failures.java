/** Ends in the way that the argument says. */
public class Failures {
    static int shared;

    static synchronized void fail() {
        throw new IllegalArgumentException("bad");
    }

    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
            case "main" -> throw new IllegalStateException("early");
            case "thread" -> new Thread(() -> {
                Object nothing = null;
                shared = 1;
                nothing.hashCode();
            }).start();
            case "first" -> new Thread(() -> {
                throw new IllegalStateException("at once");
            }).start();
            case "assert" -> {
                new Thread(() -> shared++).start();
                assert shared == 0;
            }
            case "exit" -> {
                new Thread(() -> shared++).start();
                if (shared == 1) {
                    System.exit(3);
                }
            }
            case "synchronized" -> {
                Thread thread = new Thread(Failures::fail);
                thread.start();
                synchronized (Failures.class) {
                    shared = 2;
                }
                thread.join();
            }
            case "both" -> {
                new Thread(() -> {
                    throw new IllegalStateException("child");
                }).start();
                throw new IllegalStateException("parent");
            }
            default -> System.out.println("nothing happened");
        }
    }
}
