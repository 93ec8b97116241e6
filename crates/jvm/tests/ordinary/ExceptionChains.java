import java.util.*;
public class ExceptionChains {
    static class Bank {
        private final Map<String, Double> acc = new HashMap<>();
        void open(String n, double d) {
            if (acc.putIfAbsent(n, d) != null) throw new IllegalStateException("exists: " + n);
        }
        void transfer(String f, String t, double a) {
            Objects.requireNonNull(acc.get(f), "no account " + f);
            acc.compute(f, (k,v) -> { if (v < a) throw new IllegalArgumentException(String.format("%s has only %.2f, needs %.2f", k, v, a)); return v - a; });
            acc.merge(t, a, Double::sum);
        }
    }
    public static void main(String[] args) {
        Bank b = new Bank();
        b.open("A", 100);
        b.open("B", 0);
        Runnable[] tests = { () -> b.open("A", 1), () -> b.transfer("A","B",30), () -> b.transfer("A","B",300), () -> b.transfer("Z","B",1) };
        for (Runnable r : tests) {
            try {
                r.run();
                System.out.println("ok");
            } catch (IllegalStateException | IllegalArgumentException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            } catch (RuntimeException e) {
                System.out.println("RT " + e.getMessage());
            } finally {
                System.out.println("done");
            }
        }
        System.out.println(new TreeMap<>(b.acc));
        try {
            deep(0);
        } catch (Exception e) {
            Throwable t = e;
            while (t != null) {
                System.out.println(t.getClass().getName() + ": " + t.getMessage() + " @" + t.getStackTrace()[0].getMethodName());
                t = t.getCause();
            }
        }
        System.out.println(tryRet() + " " + nested());
        try {
            throw new StackOverflowError("fake");
        } catch (VirtualMachineError e) {
            System.out.println(e);
        }
        try {
            Object o = Class.forName("ExceptionChains").getDeclaredConstructor().newInstance();
            System.out.println(o.getClass());
        } catch (ReflectiveOperationException e) {
            System.out.println(e);
        }
        try {
            assert args.length > 0 : "no args given";
        } catch (AssertionError e) {
            System.out.println(e);
        }
        try {
            assert false;
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
        }
        try {
            throw new AssertionError(42);
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
        }
        Thread t = new Thread(() -> { throw new IllegalStateException("in thread"); });
        t.setUncaughtExceptionHandler((th, ex) -> System.out.println("caught " + ex.getMessage()));
        t.start();
        try {
            t.join();
        } catch (InterruptedException e) {}
    }
    static void deep(int n) throws Exception {
        try {
            if (n == 2) throw new java.io.IOException("bottom");
            deep(n+1);
        } catch (java.io.IOException e) {
            throw new RuntimeException("wrapped", e);
        }
    }
    static int tryRet() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 2;
        }
    }
    static String nested() {
        StringBuilder s = new StringBuilder();
        try {
            try {
                throw new RuntimeException("a");
            } finally {
                s.append("f1");
            }
        } catch (RuntimeException e) {
            s.append(e.getMessage());
            try {
                throw new Error("b");
            } catch (Error e2) {
                s.append(e2.getMessage());
            }
        } finally {
            s.append("f2");
        }
        return s.toString();
    }
}
