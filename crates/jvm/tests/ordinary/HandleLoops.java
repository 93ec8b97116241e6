import java.lang.invoke.*;
import java.util.*;

public class HandleLoops {
    static int zero(int n) { return 0; }
    static boolean less(int i, int n) { return i < n; }
    static int next(int i, int n) { return i + 1; }
    static String start() { return ""; }
    static String step(String s, int i) { return s + i + ","; }
    static String stepOf(String s, int i, String x) { return s + i + x; }
    static String begin(String x) { return x; }
    static int ten(String x) { return 3; }
    static List<String> reversed(List<String> l, String s) { l = new ArrayList<>(l); l.add(0, s); return l; }
    static List<String> none() { return new ArrayList<>(); }
    static String run(String s) { if (s.isEmpty()) throw new IllegalStateException("empty"); return s + "!"; }
    static String clean(Throwable t, String result, String s) { System.out.println("cleanup " + t + " " + result + " " + s); return result + "?"; }
    static void quiet() { System.out.println("body"); }
    static void after(Throwable t) { System.out.println("after " + t); }
    static void thrower() { throw new UnsupportedOperationException("no"); }
    static void print(int i) { System.out.println("i=" + i); }
    static int fact(int acc, int k, int n) { return acc * k; }
    static int one(int n) { return 1; }
    static int inc(int acc, int k, int n) { return k + 1; }
    static boolean more(int acc, int k, int n) { return k <= n; }
    static int result(int acc, int k, int n) { return acc; }
    static long sum(long acc, Integer x) { return acc + x; }
    static long nothing() { return 0; }
    interface Body { Object run() throws Throwable; }
    static void show(String what, Body body) {
        try { System.out.println(what + ": " + body.run()); } catch (Throwable t) { System.out.println(what + ": " + t); }
    }
    static MethodHandle of(String name, Class<?> result, Class<?>... arguments) throws Exception {
        return MethodHandles.lookup().findStatic(HandleLoops.class, name, MethodType.methodType(result, arguments));
    }
    public static void main(String[] args) throws Throwable {
        MethodHandle zero = of("zero", int.class, int.class), less = of("less", boolean.class, int.class, int.class), next = of("next", int.class, int.class, int.class);
        show("while", () -> (int) MethodHandles.whileLoop(zero, less, next).invokeExact(5));
        show("while 0", () -> (int) MethodHandles.whileLoop(zero, less, next).invoke(0));
        show("do while", () -> (int) MethodHandles.doWhileLoop(zero, next, less).invokeExact(0));
        show("do while type", () -> MethodHandles.doWhileLoop(zero, next, less).type());
        MethodHandle count = MethodHandles.constant(int.class, 4);
        show("counted", () -> (String) MethodHandles.countedLoop(count, of("start", String.class), of("step", String.class, String.class, int.class)).invokeExact());
        show("counted arg", () -> (String) MethodHandles.countedLoop(of("ten", int.class, String.class), of("begin", String.class, String.class), of("stepOf", String.class, String.class, int.class, String.class)).invoke("x"));
        show("counted range", () -> (String) MethodHandles.countedLoop(MethodHandles.constant(int.class, -2), MethodHandles.constant(int.class, 2), of("start", String.class), of("step", String.class, String.class, int.class)).invoke());
        show("counted void", () -> { MethodHandles.countedLoop(MethodHandles.constant(int.class, 2), null, of("print", void.class, int.class)).invoke(); return "done"; });
        show("iterated", () -> MethodHandles.iteratedLoop(null, of("none", List.class), of("reversed", List.class, List.class, String.class)).invoke(List.of("a", "b", "c")));
        show("iterated sum", () -> (long) MethodHandles.iteratedLoop(null, of("nothing", long.class), of("sum", long.class, long.class, Integer.class)).invoke(List.of(1, 2, 3)));
        show("iterated type", () -> MethodHandles.iteratedLoop(null, of("nothing", long.class), of("sum", long.class, long.class, Integer.class)).type());
        MethodHandle one = of("one", int.class, int.class);
        MethodHandle[] product = {one, of("fact", int.class, int.class, int.class, int.class)};
        MethodHandle[] counter = {one, of("inc", int.class, int.class, int.class, int.class), of("more", boolean.class, int.class, int.class, int.class), of("result", int.class, int.class, int.class, int.class)};
        show("factorial", () -> (int) MethodHandles.loop(product, counter).invokeExact(5));
        show("factorial type", () -> MethodHandles.loop(product, counter).type());
        show("no clause", () -> MethodHandles.loop());
        show("no predicate", () -> MethodHandles.loop(product));
        show("bad loop", () -> MethodHandles.whileLoop(zero, of("start", String.class), next));
        MethodHandle run = of("run", String.class, String.class);
        MethodHandle tried = MethodHandles.tryFinally(run, of("clean", String.class, Throwable.class, String.class, String.class));
        show("finally", () -> (String) tried.invokeExact("ok"));
        show("finally thrown", () -> (String) tried.invokeExact(""));
        show("finally type", () -> tried.type());
        show("finally void", () -> { MethodHandles.tryFinally(of("quiet", void.class), of("after", void.class, Throwable.class)).invoke(); return "done"; });
        show("finally throws", () -> { MethodHandles.tryFinally(of("thrower", void.class), of("after", void.class, Throwable.class)).invoke(); return "done"; });
        show("bad finally", () -> MethodHandles.tryFinally(run, of("after", void.class, Throwable.class)));
    }
}
