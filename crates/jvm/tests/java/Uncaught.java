/** Printing exceptions with causes, suppressed ones and shared frames. */
public class Uncaught {
    static void a() { try { b(); } catch (Exception e) { throw new RuntimeException("in a", e); } }
    static void b() throws Exception { try { c(); } catch (IllegalStateException e) { Exception x = new Exception("in b", e); x.addSuppressed(new Error("suppressed")); throw x; } }
    static void c() { Object o = "text"; throw new IllegalStateException("in c " + o); }

    static class Loud extends RuntimeException {
        @Override public String getMessage() { return "loud"; }
        @Override public String toString() { return "Loud!" + getMessage(); }
    }

    static class Quiet extends RuntimeException {
        Quiet() { super("quiet", null, false, false); }
    }

    public static void main(String[] args) {
        try {
            a();
        } catch (RuntimeException e) {
            e.printStackTrace(System.out);
        }
        try {
            throw new Loud();
        } catch (Loud e) {
            e.printStackTrace(System.out);
            System.out.println(e.getStackTrace().length);
        }
        try {
            throw new Quiet();
        } catch (Quiet e) {
            System.out.println(e + " " + e.getStackTrace().length);
        }
        Throwable t = new Throwable("outer", new Throwable("inner"));
        System.out.println(t.getCause().getMessage() + " " + new RuntimeException(t).getMessage());
        Runnable r = () -> { throw new UnsupportedOperationException("lambda"); };
        try {
            r.run();
        } catch (UnsupportedOperationException e) {
            StackTraceElement top = e.getStackTrace()[0];
            System.out.println(top.getClassName() + " " + top.getMethodName() + " " + top.getLineNumber() + " " + top.getFileName() + " " + e.getStackTrace().length);
        }
        try {
            java.util.List.of(3, 1).forEach(n -> { if (n == 1) throw new RuntimeException("in forEach"); });
        } catch (RuntimeException e) {
            for (StackTraceElement x : e.getStackTrace()) System.out.println(x);
        }
        try {
            new java.util.ArrayList<>(java.util.List.of(1)).get(5);
        } catch (IndexOutOfBoundsException e) {
            e.printStackTrace(System.out);
        }
        try {
            assert args.length > 5 : "failed assertion";
            System.out.println("assertions are off");
        } catch (AssertionError e) {
            System.out.println(e.getMessage());
        }
        int[] numbers = null;
        String text = null;
        try {
            numbers[0] = 1;
        } catch (NullPointerException e) {
            System.out.println("array store at " + e.getStackTrace()[0].getLineNumber());
        }
        try {
            text.length();
        } catch (NullPointerException e) {
            System.out.println("call at " + e.getStackTrace()[0].getLineNumber());
        }
    }
}
