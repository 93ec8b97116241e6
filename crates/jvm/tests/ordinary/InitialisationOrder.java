import java.util.*;
public class InitialisationOrder {
    static class A {
        A() {
            System.out.print("A ");
            init();
        }
        void init() {
            System.out.print("A.init ");
        }
    }
    static class B extends A {
        String s = "set";
        final String f = "const";
        final String g;
        B() {
            super();
            g = "late";
            System.out.println("B " + s);
        }
        @Override void init() {
            System.out.print("B.init(" + s + "," + f + "," + g + ") ");
        }
    }
    static class Init {
        static {
            System.out.println("static 1 " + Init.x);
        }
        static int x = 5;
        static {
            System.out.println("static 2 " + x);
        }
        {
            System.out.println("instance");
        }
        Init() {
            this(1);
            System.out.println("no-arg");
        }
        Init(int i) {
            System.out.println("arg " + i);
        }
    }
    static class Cfg {
        static final Cfg I = new Cfg();
        static int count = 10;
        int seen;
        Cfg() {
            seen = count;
        }
    }
    interface K {
        int V = log("K.V");
        void m();
    }
    static class KI implements K {
        public void m() {}
    }
    static int log(String s) {
        System.out.println("init " + s);
        return 1;
    }
    static class Fail {
        static final int X;
        static {
            if (true) throw new IllegalStateException("boom");
            X = 1;
        }
    }
    static class Deep extends Mid {
        static {
            System.out.println("Deep");
        }
        static int z;
    }
    static class Mid extends Top {
        static {
            System.out.println("Mid");
        }
        static int y = 3;
    }
    static class Top {
        static {
            System.out.println("Top");
        }
    }
    enum E {
        X, Y;
        static final Map<String,E> M = new HashMap<>();
        static {
            for (E e : values()) M.put(e.name().toLowerCase(), e);
        }
        E() {}
    }
    public static void main(String[] args) {
        new B();
        new Init();
        System.out.println(Cfg.I.seen + " " + Cfg.count);
        new KI().m();
        System.out.println("no K yet");
        System.out.println(K.V);
        try {
            System.out.println(Fail.X);
        } catch (ExceptionInInitializerError e) {
            System.out.println("EIIE " + e.getCause().getMessage());
        }
        try {
            System.out.println(Fail.X);
        } catch (NoClassDefFoundError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Deep.y);
        Deep.z++;
        Deep[] arr = new Deep[2];
        System.out.println(arr.length + E.M.get("y").name());
        System.out.println(new Object() { int v = 3; { v *= 2; } int get() { return v; } }.get());
        Object lock = Mid.class;
        synchronized (lock) {
            System.out.println("locked " + Thread.holdsLock(lock));
        }
        Class<?> c = int.class;
        System.out.println(c + " " + Integer.class + " " + void.class + " " + int[].class + " " + Map.Entry.class);
    }
}
