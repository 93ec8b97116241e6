public class ThrownErrors {
    static class Res implements AutoCloseable {
        String n;
        Res(String n) {
            this.n = n;
            System.out.println("open " + n);
        }
        public void close() throws Exception {
            System.out.println("close " + n);
            throw new Exception("close-" + n);
        }
    }
    static class MyEx extends RuntimeException {
        int code;
        MyEx(String m, int c, Throwable cause) {
            super(m, cause);
            code = c;
        }
        @Override public String toString() {
            return "MyEx[" + code + "]";
        }
    }
    static int fin() {
        try {
            return 1;
        } finally {
            System.out.println("fin");
        }
    }
    @SuppressWarnings("finally") static int fin2() {
        try {
            throw new RuntimeException();
        } finally {
            return 2;
        }
    }
    static int so(int n) {
        return so(n+1) + 1;
    }
    public static void main(String[] a) {
        try (Res r1 = new Res("a"); Res r2 = new Res("b")) {
            System.out.println("body");
            throw new IllegalStateException("main");
        } catch (Exception e) {
            System.out.println(e + " suppressed " + java.util.Arrays.toString(e.getSuppressed()));
        }
        System.out.println(fin() + fin2());
        try {
            so(0);
        } catch (StackOverflowError e) {
            System.out.println("SO " + e.getMessage());
        }
        try {
            throw new MyEx("m", 7, new RuntimeException("cause"));
        } catch (MyEx e) {
            System.out.println(e + e.getMessage() + e.code + e.getCause());
        }
        Runnable[] rs = { () -> { Object o = "s"; Integer i = (Integer) o; }, () -> { Object[] o = new String[1]; o[0] = 1; }, () -> { int[] x = new int[-1]; }, () -> { int[] x = new int[2]; x[2] = 1; }, () -> { String s = null; s.length(); }, () -> "abc".substring(5), () -> "abc".charAt(10), () -> Integer.parseInt("x1"), () -> Integer.parseInt(""), () -> Integer.parseInt(null), () -> Long.parseLong("99999999999999999999"), () -> Double.parseDouble("abc"), () -> new java.util.ArrayList<>().get(0), () -> java.util.List.of(1).get(3), () -> new java.util.ArrayList<>().iterator().next(), () -> { throw null; }, () -> { Object o = new int[0]; String[] s = (String[]) o; }, () -> { java.util.List<Integer> l = (java.util.List) java.util.List.of("x"); int i = l.get(0); }, () -> new java.util.LinkedList<>().getFirst(), () -> Enum.valueOf(Thread.State.class, "X"), () -> { long[] l = new long[Integer.MAX_VALUE]; }, () -> { Object o = new int[2][-1]; }, () -> new java.util.ArrayDeque<>().addFirst(null), ()->new java.util.TreeMap<>().put(null,1), () -> Character.toChars(-1), () -> "x".repeat(-1), ()->{ assert 1 > 2 : "asserted"; }, () -> { Object o = new ThrownErrors(); ((Runnable)o).run(); }, () -> new java.util.ArrayList<>(-1), () -> java.util.List.of(1,2).subList(2,1) };
        for (Runnable r : rs) try {
            r.run();
            System.out.println("ok?");
        } catch (Throwable t) {
            System.out.println(t);
        }
        try {
            try {
                throw new Exception("1");
            } finally {
                System.out.println("f");
            }
        } catch (Exception e) {
            StackTraceElement s = e.getStackTrace()[0];
            System.out.println(s.getMethodName() + s.getLineNumber() + s.getClassName() + s.getFileName());
        }
        try {
            int i = 1;
            i /= 0;
        } catch (ArithmeticException | NullPointerException e) {
            System.out.println(e.getClass());
        }
    }
}
