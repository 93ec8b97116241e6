import java.lang.reflect.*;
import java.util.*;

/** The parts of reflection that library code uses. */
public class Reflection {
    interface Greeter { String greet(String name); }
    static class Polite implements Greeter {
        private final String prefix;
        public int count = 3;
        public Polite() { this("Dear "); }
        public Polite(String prefix) { this.prefix = prefix; }
        public String greet(String name) { count++; return prefix + name; }
        public static int twice(int n) { return 2 * n; }
        public void fail() { throw new IllegalStateException("inside"); }
    }

    public static void main(String[] args) throws Exception {
        Class<?> c = Class.forName("Reflection$Polite");
        System.out.println(c.getName() + " " + c.getSimpleName() + " " + c.getSuperclass() + " " + Arrays.toString(c.getInterfaces()) + " " + c.isInterface());
        Object made = c.getDeclaredConstructor().newInstance();
        System.out.println(((Greeter) made).greet("Ann"));
        Object other = c.getConstructor(String.class).newInstance("Hi ");
        Method greet = c.getMethod("greet", String.class);
        System.out.println(greet.invoke(other, "Bob") + " " + greet.getName() + " " + greet.getReturnType().getSimpleName());
        System.out.println(c.getMethod("twice", int.class).invoke(null, 21));
        try {
            c.getMethod("fail").invoke(other);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause().getMessage());
        }
        Field count = c.getField("count");
        System.out.println(count.getInt(other) + " " + count.get(made));
        count.setInt(other, 50);
        System.out.println(count.get(other) + " " + count.getType());
        try {
            c.getMethod("missing");
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Integer.class.isInstance(5) + " " + Number.class.isAssignableFrom(Integer.class) + " " + int.class + " " + String[].class + " " + Runnable.class);
        System.out.println(new Object() {}.getClass().getName() + " " + Thread.State.class.getName() + " " + c.getPackageName().isEmpty());
        System.out.println(Modifier.isPublic(greet.getModifiers()) + " " + Modifier.isStatic(Polite.class.getModifiers()));
    }
}
