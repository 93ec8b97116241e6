import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Vector;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two threads that print and do nothing else that the other could notice. The classes below are programs of their own,
 * which do not know each other: the first letter of their names says whether the stream can be locked (Y) or not (N).
 */
public class Printing {
    static void twice(Runnable action) {
        Thread other = new Thread(action);
        other.start();
        action.run();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

/** Locks of its own, under which it prints. */
class NObjects {
    public static void main(String[] args) {
        Printing.twice(() -> {
            Object lock = new Object();
            synchronized (lock) { System.out.println("a"); }
        });
    }
}

/** A lock from a map, method references to the stream, numbers and names in formatted text. */
class NFromMap {
    static final AtomicInteger count = new AtomicInteger();

    public static void main(String[] args) {
        Printing.twice(() -> {
            Map<String, Object> locks = new HashMap<>();
            List<String> names = new ArrayList<>();
            names.add("a");
            synchronized (locks.computeIfAbsent("a", name -> new Object())) {
                names.forEach(System.out::println);
                System.out.printf("%d %s %.2f %s%n", count.get(), names.get(0), 1.5, count);
            }
        });
    }
}

/** An array of locks and an array of threads. */
class NArray {
    public static void main(String[] args) throws InterruptedException {
        Object[] locks = { new Object(), new Object() };
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            Object lock = locks[i];
            threads[i] = new Thread(() -> {
                synchronized (lock) { System.err.println("a"); }
            });
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}

/** A text without a lock, while another class has one with. */
class NOtherText {
    static class Locked {
        @Override
        public synchronized String toString() {
            return "locked";
        }
    }

    record Plain(int number, String name) { }

    static class Named {
        @Override
        public String toString() {
            return "named";
        }
    }

    public static void main(String[] args) {
        Printing.twice(() -> {
            String.valueOf(new Locked());
            System.out.printf("%s %s%n", new Plain(1, "a"), new Named());
        });
    }
}

/** A stream that is a variable of its own type, and printed to. */
class NOwnStream {
    private static final PrintStream out = System.out;

    static void print(PrintStream to, Object lock) {
        synchronized (lock) { to.println("a"); }
    }

    public static void main(String[] args) {
        Printing.twice(() -> print(out, new Object()));
    }
}

/** A parameter of a wide type. */
class YParameter {
    static void print(Object lock) {
        synchronized (lock) { lock.hashCode(); }
    }

    public static void main(String[] args) {
        if (args.length > 0) print(System.out);
        Printing.twice(() -> System.out.println("a"));
    }
}

/** A field of a wide type, set by a constructor. */
class YField {
    private final OutputStream to;

    YField(OutputStream to) {
        this.to = to;
    }

    void flush() {
        synchronized (to) { to.hashCode(); }
    }

    public static void main(String[] args) {
        if (args.length > 0) new YField(System.err).flush();
        Printing.twice(() -> System.out.println("a"));
    }
}

/** An array of a wide type. */
class YArray {
    public static void main(String[] args) {
        Object[] all = { "a", System.out };
        if (args.length > 0) synchronized (all[1]) { all[0] = null; }
        Printing.twice(() -> System.out.println("a"));
    }
}

/** The result of a method of an interface that a lambda expression implements. */
class YResult {
    public static void main(String[] args) throws Exception {
        Callable<Object> lock = () -> System.out;
        if (args.length > 0) synchronized (lock.call()) { args[0] = null; }
        Printing.twice(() -> System.out.println("a"));
    }
}

/** What a generic class of the program keeps. */
class YGeneric {
    static class Box<T> {
        private T kept;

        void put(T given) {
            kept = given;
        }

        T get() {
            return kept;
        }
    }

    public static void main(String[] args) {
        Box<Object> box = new Box<>();
        box.put(System.out);
        if (args.length > 0) synchronized (box.get()) { args[0] = null; }
        Printing.twice(() -> System.out.println("a"));
    }
}

/** A field that is found by its name. */
class YReflection {
    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            Object lock = System.class.getField("out").get(null);
            synchronized (lock) { args[0] = null; }
        }
        Printing.twice(() -> System.out.println("a"));
    }
}

/** A text of a collection that locks. */
class YVector {
    public static void main(String[] args) {
        Printing.twice(() -> {
            Object names = new Vector<>(List.of("a"));
            System.out.printf("%s%n", names);
        });
    }
}

/** A text with a lock in a method of a superclass, which a record's text asks for. */
class YInherited {
    static class Base {
        private int count;

        synchronized int count() {
            return count;
        }
    }

    static class Part extends Base {
        @Override
        public String toString() {
            return "part " + count();
        }
    }

    record Whole(Part part) { }

    public static void main(String[] args) {
        Printing.twice(() -> System.out.printf("%s%n", new Whole(new Part())));
    }
}

/** A text whose lock is taken in a lambda expression. */
class YLambda {
    static class Lazy {
        @Override
        public String toString() {
            Callable<String> made = () -> {
                synchronized (this) { return "lazy"; }
            };
            try {
                return made.call();
            } catch (Exception e) {
                return "";
            }
        }
    }

    public static void main(String[] args) {
        Printing.twice(() -> {
            Object[] given = { new Lazy() };
            System.out.printf("%s%n", given);
        });
    }
}

/** The message of an exception, with a lock. */
class YMessage {
    static class Failure extends Exception {
        @Override
        public synchronized String getMessage() {
            return "failed";
        }
    }

    public static void main(String[] args) {
        Printing.twice(() -> new Failure().printStackTrace());
    }
}
