/** What runs at the end of the virtual machine. */
public class Hooks {
    static int count;

    static synchronized int next() {
        return ++count;
    }

    static void register(Runnable action) {
        Runtime.getRuntime().addShutdownHook(new Thread(action));
    }

    public static void main(String[] arguments) throws InterruptedException {
        switch (arguments[0]) {
            case "end":
                register(() -> System.out.println(next()));
                new Thread(Hooks::next).start();
                next();
                break;
            case "together":
                register(() -> System.out.println(next()));
                register(() -> System.out.println(next()));
                break;
            case "failure":
                register(() -> System.out.println("hook"));
                throw new IllegalStateException("main");
            case "exit":
                register(() -> System.out.println(next()));
                new Thread(Hooks::next).start();
                System.exit(0);
                break;
            case "halt":
                register(() -> System.out.println("never"));
                Runtime.getRuntime().halt(0);
                break;
            case "removed":
                Thread hook = new Thread(() -> System.out.println("never"));
                Runtime.getRuntime().addShutdownHook(hook);
                System.out.println(Runtime.getRuntime().removeShutdownHook(hook));
                break;
            case "too-late":
                register(() -> {
                    try {
                        register(() -> { });
                    } catch (IllegalStateException e) {
                        System.out.println("too late");
                    }
                });
                break;
            case "daemon":
                register(() -> System.out.println("hook"));
                Thread daemon = new Thread(() -> {
                    while (true) {
                        synchronized (Hooks.class) {
                            try {
                                Hooks.class.wait();
                            } catch (InterruptedException e) {
                                return;
                            }
                        }
                    }
                });
                daemon.setDaemon(true);
                daemon.start();
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }
}
