import java.lang.reflect.*;
public class ReflectedNatives {
    public static void main(String[] a) throws Exception {
        System.out.println(Object.class.getMethod("getClass").invoke("x"));
        try {
            System.class.getMethod("arraycopy", Object.class, int.class, Object.class, int.class, int.class).invoke(null, new int[1], 0, new int[1], 0, 5);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause());
        }
        System.out.println(String.class.getMethod("intern").invoke("q") == "q");
        System.out.println(Math.class.getMethod("sqrt", double.class).invoke(null, 16.0));
        Method m = java.io.PrintStream.class.getMethod("println", String.class);
        m.invoke(System.out, "by reflection");
    }
}
