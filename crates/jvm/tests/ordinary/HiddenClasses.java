import java.lang.invoke.*;
import java.util.*;
import java.io.*;

public class HiddenClasses {
    private static int secret = 41;
    static byte[] bytes(Class<?> c) throws IOException {
        try (InputStream in = c.getResourceAsStream("/" + c.getName().replace('.', '/') + ".class")) {
            return in.readAllBytes();
        }
    }
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup me = MethodHandles.lookup();
        byte[] b = bytes(HiddenPlugin.class);
        MethodHandles.Lookup one = me.defineHiddenClass(b, true);
        MethodHandles.Lookup two = me.defineHiddenClass(b, false, MethodHandles.Lookup.ClassOption.NESTMATE);
        Class<?> c = one.lookupClass(), d = two.lookupClass();
        System.out.println(c == d);
        System.out.println(c.isHidden() + " " + HiddenPlugin.class.isHidden() + " " + c.getName().replaceAll("/0x.*", "/0x") + " " + c.getCanonicalName());
        System.out.println(c.getSimpleName().replaceAll("/0x.*", "/0x") + " " + c.getPackageName() + " " + one.lookupModes());
        System.out.println((c.getNestHost() == c) + " " + (d.getNestHost() == HiddenClasses.class));
        for (Class<?> k : List.of(c, c, d)) {
            Runnable r = (Runnable) k.getDeclaredConstructor().newInstance();
            r.run();
            System.out.println(r);
        }
        System.out.println(HiddenPlugin.made);
        try { Class.forName(c.getName()); System.out.println("found"); } catch (ClassNotFoundException e) { System.out.println("not found"); }
        MethodHandles.Lookup with = me.defineHiddenClassWithClassData(b, List.of("data"), true);
        System.out.println(MethodHandles.classData(with, "_", List.class));
        try { MethodHandles.publicLookup().defineHiddenClass(b, true); } catch (IllegalAccessException e) { System.out.println(e.getMessage()); }
        try { me.defineHiddenClass(new byte[] {1, 2}, true); } catch (ClassFormatError e) { System.out.println("not a class"); }
        // A class of another package is refused.
        try { MethodHandles.lookup().defineClass(bytes(String.class)); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        MethodHandle made = one.findConstructor(c, MethodType.methodType(void.class));
        ((Runnable) made.invoke()).run();
        VarHandle count = one.findStaticVarHandle(c, "made", int.class);
        System.out.println((int) count.get());
    }
}
class HiddenPlugin implements Runnable {
    static int made;
    int number = ++made;
    static { System.out.println("initialised"); }
    public void run() { System.out.println("plugin " + number + " of " + made); }
    public String toString() { return "a plugin " + (Object) new Object[] {this.number}.length; }
}
