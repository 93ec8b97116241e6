/** Nested try, catch and finally with returns, breaks and rethrows. */
public class Finally {
    static StringBuilder log = new StringBuilder();

    @SuppressWarnings("finally")
    static int overriding() { try { throw new RuntimeException(); } finally { return 1; } }

    static int value() { int x = 1; try { return x; } finally { x = 2; log.append("f"); } }

    static String nested(int mode) {
        StringBuilder s = new StringBuilder();
        try {
            try {
                if (mode == 1) throw new IllegalStateException("1");
                if (mode == 2) throw new IllegalArgumentException("2");
                if (mode == 3) return s.append("r").toString();
                s.append("ok");
            } catch (IllegalStateException e) {
                s.append("c1");
                throw new RuntimeException("from catch", e);
            } finally {
                s.append("f1");
                if (mode == 4) throw new UnsupportedOperationException("4");
            }
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            s.append("c2").append(e.getMessage());
        } catch (RuntimeException e) {
            s.append("c3").append(e.getCause().getMessage());
        } finally {
            s.append("f2");
        }
        return s.toString();
    }

    static int loops() {
        int n = 0;
        for (int i = 0; i < 5; i++) {
            try {
                if (i == 1) continue;
                if (i == 3) break;
                n += 10;
            } finally {
                n++;
            }
        }
        return n;
    }

    static <T extends Throwable> void sneaky(Throwable t) throws T {
        @SuppressWarnings("unchecked") T x = (T) t;
        throw x;
    }

    static synchronized void locked(int n) {
        synchronized (Finally.class) {
            if (n == 0) throw new RuntimeException("unlock");
            locked(n - 1);
        }
    }

    public static void main(String[] args) {
        System.out.println(overriding() + " " + value() + log);
        for (int i = 0; i < 5; i++) System.out.println(nested(i));
        System.out.println(loops());
        try {
            Finally.<RuntimeException>sneaky(new Exception("checked"));
        } catch (Exception e) {
            System.out.println(e);
        }
        try {
            locked(5);
        } catch (RuntimeException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(Finally.class));
        }
        try {
            try {
                throw new RuntimeException("first");
            } finally {
                Object o = null;
                o.hashCode();
            }
        } catch (NullPointerException e) {
            System.out.println("second wins");
        }
    }
}
