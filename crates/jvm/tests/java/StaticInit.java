/** The order of static and instance initialisation. */
public class StaticInit {
    static void log(String s) { System.out.println(s); }

    static class Parent {
        static { log("Parent static"); }
        static int value = make("Parent.value", 1);
        int field = make("Parent.field", 2);
        { log("Parent block"); }
        Parent() { log("Parent constructor"); hook(); }
        void hook() { log("Parent hook"); }
    }

    static class Child extends Parent {
        static final int CONSTANT = 5;
        static final Integer BOXED = make("Child.BOXED", 6);
        static { log("Child static"); }
        int own = make("Child.own", 3);
        Child() { this(9); log("Child()"); }
        Child(int x) { super(); log("Child(int) " + own); }
        @Override void hook() { log("Child hook " + own); }
    }

    static class Lazy {
        static { log("Lazy"); }
        static final String INLINE = "inline";
        static String notInline = "not inline";
        static void touch() {}
    }

    static class Cycle1 { static int a = Cycle2.b + 1; }
    static class Cycle2 { static int b = Cycle1.a + 1; }

    static class Failing {
        static int x = 1 / (log2() - 1);
        static int log2() { log("Failing"); return 1; }
    }

    static int make(String s, int n) { log(s); return n; }

    public static void main(String[] args) {
        log("main");
        log("" + Child.CONSTANT);
        new Child();
        new Child(1);
        log(Lazy.INLINE);
        Lazy[] none = new Lazy[1];
        Class<?> c = Lazy.class;
        log("before " + none.length + c.getSimpleName());
        log(Lazy.notInline);
        log(Cycle1.a + " " + Cycle2.b);
        for (int i = 0; i < 2; i++) {
            try {
                log("" + Failing.x);
            } catch (ExceptionInInitializerError e) {
                log("error " + e.getCause());
            } catch (NoClassDefFoundError e) {
                log("again " + e.getMessage());
            }
        }
        try {
            Class.forName("StaticInit$Nowhere");
        } catch (ClassNotFoundException e) {
            log(e.getMessage());
        }
    }
}
