/** Exceptions, causes, suppressed ones and stack traces. */
public class Exceptions {
    static class Custom extends Exception {
        final int code;
        Custom(String message, int code, Throwable cause) { super(message, cause); this.code = code; }
    }

    static class Resource implements AutoCloseable {
        final String name;
        Resource(String name) { this.name = name; System.out.println("open " + name); }
        void use(boolean fail) { if (fail) throw new IllegalStateException("use " + name); }
        @Override public void close() { System.out.println("close " + name); throw new IllegalArgumentException("close " + name); }
    }

    static int depth(int n) {
        if (n == 0) throw new RuntimeException("bottom");
        return depth(n - 1) + 1;
    }

    static void wrap() throws Custom {
        try {
            depth(3);
        } catch (RuntimeException e) {
            throw new Custom("wrapped", 42, e);
        }
    }

    static int order() {
        try {
            return value("try");
        } finally {
            value("finally");
        }
    }

    static int value(String s) { System.out.println(s); return s.length(); }

    public static void main(String[] args) {
        try {
            wrap();
        } catch (Custom e) {
            System.out.println(e.getMessage() + " " + e.code + " " + e.getCause().getMessage());
            for (StackTraceElement x : e.getStackTrace()) System.out.println(x);
            for (StackTraceElement x : e.getCause().getStackTrace()) System.out.println("  " + x);
        }
        try (Resource a = new Resource("a"); Resource b = new Resource("b")) {
            b.use(true);
        } catch (IllegalStateException e) {
            System.out.println(e + " " + e.getSuppressed().length + " " + e.getSuppressed()[0].getMessage());
        }
        Object[] tests = new Object[7];
        for (int i = 0; i < 7; i++) {
            try {
                switch (i) {
                    case 0 -> ((Object[]) new Integer[1])[0] = "s";
                    case 1 -> { int[] x = new int[2]; x[2] = 1; }
                    case 2 -> { Object o = "s"; Integer n = (Integer) o; }
                    case 3 -> System.out.println(1 / (i - 3));
                    case 4 -> { int[] x = new int[-1]; }
                    case 5 -> Integer.parseInt("x1");
                    default -> "abc".substring(5);
                }
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
        System.out.println(order());
        try {
            throw new Error("e");
        } catch (Throwable t) {
            System.out.println(t);
        }
        try {
            Object o = null;
            o.toString();
        } catch (NullPointerException e) {
            System.out.println("null pointer at " + e.getStackTrace()[0].getLineNumber());
        }
        try {
            endless(0);
        } catch (StackOverflowError e) {
            System.out.println("overflow");
        }
        java.io.StringWriter w = new java.io.StringWriter();
        new Custom("printed", 1, new RuntimeException("cause")).printStackTrace(new java.io.PrintWriter(w));
        System.out.println(w);
    }

    static int endless(int n) { return endless(n + 1) + 1; }
}
