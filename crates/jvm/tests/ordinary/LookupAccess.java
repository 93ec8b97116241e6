import java.lang.invoke.*;
import java.lang.reflect.*;

public class LookupAccess {
    private int own = 3;
    private static int count() { return 4; }
    static class Nested { private int inner = 5; private Nested() {} private String hi() { return "hi"; } }
    interface Thrower { Object run() throws Throwable; }
    static void show(String what, Thrower t) {
        try {
            System.out.println(what + " -> " + t.run());
        } catch (Throwable e) {
            String message = String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "@h");
            System.out.println(what + " -> " + e.getClass().getName() + ": " + message
                + (e.getCause() == null ? "" : " / " + e.getCause().getClass().getName()));
        }
    }
    static String s(Object o) { return o.toString().replaceAll("@[0-9a-f]+", "@h"); }
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup me = MethodHandles.lookup();
        MethodHandles.Lookup pub = MethodHandles.publicLookup();
        show("me", () -> me + " " + me.lookupModes() + " " + me.hasFullPrivilegeAccess() + " " + me.hasPrivateAccess() + " " + me.lookupClass());
        show("pub", () -> pub + " " + pub.lookupModes() + " " + pub.hasFullPrivilegeAccess());
        for (Class<?> c : new Class<?>[] {LookupAccess.class, Nested.class, LookupOther.class, String.class, Thread.State.class}) {
            show("in " + c, () -> me.in(c) + " " + me.in(c).lookupModes() + " " + me.in(c).previousLookupClass());
            show("pub in " + c, () -> pub.in(c) + " " + pub.in(c).lookupModes());
            show("private in " + c, () -> MethodHandles.privateLookupIn(c, me) + " " + MethodHandles.privateLookupIn(c, me).lookupModes());
        }
        show("in int", () -> me.in(int.class));
        for (int mode : new int[] {1, 2, 4, 8, 16, 32, 64})
            show("drop " + mode, () -> me.dropLookupMode(mode) + " " + me.dropLookupMode(mode).lookupModes());
        MethodType str = MethodType.methodType(String.class);
        MethodType num = MethodType.methodType(int.class);
        for (MethodHandles.Lookup l : new MethodHandles.Lookup[] {me, pub, me.in(LookupOther.class), me.dropLookupMode(2), MethodHandles.privateLookupIn(LookupOther.class, me)}) {
            String p = s(l) + " ";
            show(p + "own", () -> l.findGetter(LookupAccess.class, "own", int.class).type());
            show(p + "ownset", () -> l.findSetter(LookupAccess.class, "own", int.class).type());
            show(p + "count", () -> l.findStatic(LookupAccess.class, "count", num).type());
            show(p + "inner", () -> l.findVarHandle(Nested.class, "inner", int.class).varType());
            show(p + "hi", () -> l.findVirtual(Nested.class, "hi", str).invoke(new Nested()));
            show(p + "secret", () -> l.findVirtual(LookupOther.class, "secret", str).invoke(new LookupOther()));
            show(p + "pack", () -> l.findVirtual(LookupOther.class, "pack", str).invoke(new LookupOther()));
            show(p + "open", () -> l.findVirtual(LookupOther.class, "open", str).invoke(new LookupOther()));
            show(p + "hidden", () -> l.findGetter(LookupOther.class, "hidden", int.class).invoke(new LookupOther()));
            show(p + "hiddens", () -> l.findStaticGetter(LookupOther.class, "hidden", int.class).type());
            show(p + "hiddentype", () -> l.findGetter(LookupOther.class, "hidden", long.class).type());
            show(p + "missing", () -> l.findVirtual(LookupOther.class, "missing", str));
            show(p + "missingf", () -> l.findGetter(LookupOther.class, "missing", int.class));
            show(p + "missingv", () -> l.findVarHandle(LookupOther.class, "missing", int.class));
            show(p + "stat", () -> l.findStatic(LookupOther.class, "pack", str));
            show(p + "virt", () -> l.findVirtual(LookupOther.class, "stat", str));
            show(p + "ctor", () -> l.findConstructor(LookupOther.class, MethodType.methodType(void.class)).type());
            show(p + "ctor2", () -> l.findConstructor(LookupOther.class, MethodType.methodType(void.class, int.class)).type());
            show(p + "ctor3", () -> l.findConstructor(LookupOther.class, MethodType.methodType(void.class, long.class)).type());
            show(p + "length", () -> l.findVirtual(String.class, "length", num).invoke("abc"));
            show(p + "value", () -> l.findGetter(String.class, "value", byte[].class).type());
            show(p + "coder", () -> l.findVirtual(String.class, "coder", MethodType.methodType(byte.class)).type());
            Method m = LookupOther.class.getDeclaredMethod("secret");
            show(p + "unreflect", () -> l.unreflect(m).type());
            Field f = LookupOther.class.getDeclaredField("hidden");
            show(p + "unreflectG", () -> l.unreflectGetter(f).type());
            show(p + "unreflectV", () -> l.unreflectVarHandle(f).varType());
            Constructor<?> k = LookupOther.class.getDeclaredConstructor(int.class);
            show(p + "unreflectC", () -> l.unreflectConstructor(k).type());
            Method m2 = LookupOther.class.getDeclaredMethod("secret"); m2.setAccessible(true);
            show(p + "accessible", () -> l.unreflect(m2).invoke(new LookupOther()));
            show(p + "find2", () -> l.findClass("Nowhere"));
            show(p + "acc", () -> l.accessClass(LookupOther.class));
            show(p + "acc2", () -> l.accessClass(String.class));
            show(p + "bind", () -> l.bind("abc", "length", num).invoke());
            show(p + "special", () -> l.findSpecial(Object.class, "toString", str, LookupAccess.class).type());
            show(p + "prot", () -> l.findVirtual(Object.class, "clone", MethodType.methodType(Object.class)).type());
            show(p + "final", () -> l.findSetter(LookupOther.class, "fixed", int.class).type());
            show(p + "fixed", () -> l.findGetter(LookupOther.class, "fixed", int.class).type());
            show(p + "null", () -> l.findVirtual(LookupOther.class, null, str));
            show(p + "init", () -> l.findVirtual(LookupOther.class, "<init>", str));
            show(p + "ensure", () -> l.ensureInitialized(LookupOther.class));
            show(p + "inherited", () -> l.findVirtual(LookupDerived.class, "open", str).type());
            show(p + "inheritedf", () -> l.findGetter(LookupDerived.class, "seen", int.class).type());
            show(p + "iface", () -> l.findVirtual(Runnable.class, "run", MethodType.methodType(void.class)).type());
            show(p + "varargs", () -> l.findStatic(String.class, "format", MethodType.methodType(String.class, String.class, Object[].class)).isVarargsCollector());
            show(p + "varargs2", () -> (String) l.findStatic(String.class, "format", MethodType.methodType(String.class, String.class, Object[].class)).invoke("%s-%s", "a", 1));
            show(p + "define", () -> l.defineHiddenClass(new byte[3], false));
        }
    }
}
class LookupOther {
    private int hidden = 7;
    public int seen = 1;
    final int fixed = 8;
    LookupOther() {}
    private LookupOther(int x) {}
    private String secret() { return "secret"; }
    String pack() { return "pack"; }
    static String stat() { return "stat"; }
    public String open() { return "open"; }
}
class LookupDerived extends LookupOther {}
