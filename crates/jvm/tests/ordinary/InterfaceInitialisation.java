public class InterfaceInitialisation {
    interface A {
        default String who() {
            return "A" + p() + s();
        }
        private String p() {
            return "p";
        }
        static String s() {
            return "s";
        }
        int K = init("A.K");
    }
    interface B {
        default String who() {
            return "B";
        }
    }
    static class C implements A, B {
        public String who() {
            return A.super.who() + B.super.who();
        }
    }
    static int init(String s) {
        System.out.println("init " + s);
        return 1;
    }
    static class P {
        static {
            System.out.println("P static");
        }
        {
            System.out.println("P inst");
        }
        P() {
            System.out.println("P ctor");
            hook();
        }
        void hook() {
            System.out.println("P.hook");
        }
        static String st() {
            return "P.st";
        }
        String f = "P.f";
    }
    static class Q extends P {
        int x = 5;
        static {
            System.out.println("Q static");
        }
        {
            System.out.println("Q inst " + x);
        }
        Q() {
            super();
            System.out.println("Q ctor " + x);
        }
        void hook() {
            System.out.println("Q.hook " + x);
        }
        static String st() {
            return "Q.st";
        }
        String f = "Q.f";
    }
    static class Lazy {
        static final int CONST = 5;
        static final Integer BOX = init2();
        static int init2() {
            System.out.println("lazy");
            return 6;
        }
    }
    static abstract class Abs {
        abstract int g();
        int h() {
            return g() * 2;
        }
    }
    public static void main(String[] a) {
        System.out.println(new C().who());
        P p = new Q();
        System.out.println(p.f + ((Q)p).f + p.st());
        System.out.println(Lazy.CONST);
        System.out.println(Lazy.BOX);
        System.out.println(new Abs() { int g() { return 21; } }.h());
        System.out.println(A.K);
        try {
            Class.forName("InterfaceInitialisation$Bad");
        } catch (ExceptionInInitializerError | ClassNotFoundException e) {
            System.out.println(e + " " + e.getCause());
        }
        try {
            new Bad();
        } catch (NoClassDefFoundError e) {
            System.out.println(e.getMessage());
        }
    }
    static class Bad {
        static int z = 1 / Integer.parseInt("0");
    }
}
