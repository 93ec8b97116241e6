import java.lang.reflect.*;
import java.lang.annotation.*;
import java.util.*;
public class ReflectionTour {
    @Retention(RetentionPolicy.RUNTIME) @interface Info {
        String name() default "dflt";
        int level() default 1;
        String[] tags() default {
        };
        Class<?> type() default Object.class;
        Thread.State st() default Thread.State.NEW;
    }
    @Info(name="cls", level=5, tags={"a","b"}) static class T {
        public int pub = 1;
        private String priv = "p";
        static final long S = 9L;
        T() {}
        T(int x, String s) {
            pub = x;
            priv = s;
        }
        @Info public int add(int a, int b) {
            return a+b;
        }
        private String hid(String s) {
            return s + priv;
        }
        static void st() {
            System.out.println("static");
        }
        void thrower() throws Exception {
            throw new Exception("inner");
        }
        @Deprecated void old() {}
    }
    public static void main(String[] a) throws Exception {
        Class<?> c = T.class;
        System.out.println(c.getName() + c.getSimpleName() + Modifier.toString(c.getModifiers()) + c.getSuperclass() + c.isMemberClass() + c.getEnclosingClass());
        for (Field f : c.getDeclaredFields()) System.out.println(f.getName() + f.getType() + Modifier.toString(f.getModifiers()) + f);
        Method[] ms = c.getDeclaredMethods();
        Arrays.sort(ms, Comparator.comparing(Method::getName));
        for (Method m : ms) System.out.println(m + " " + m.getParameterCount() + m.getReturnType() + m.isAnnotationPresent(Info.class) + m.isAnnotationPresent(Deprecated.class));
        for (Constructor<?> k : c.getDeclaredConstructors()) System.out.println(k);
        Object o = c.getDeclaredConstructor(int.class,String.class).newInstance(7,"q");
        System.out.println(c.getMethod("add",int.class,int.class).invoke(o,3,4));
        Method h = c.getDeclaredMethod("hid",String.class);
        h.setAccessible(true);
        System.out.println(h.invoke(o,"x"));
        Field p = c.getDeclaredField("priv");
        p.setAccessible(true);
        p.set(o,"new");
        System.out.println(p.get(o));
        c.getDeclaredMethod("st").invoke(null);
        try {
            c.getDeclaredMethod("thrower").invoke(o);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause());
        }
        try {
            c.getMethod("nope");
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        try {
            c.getField("priv");
        } catch (NoSuchFieldException e) {
            System.out.println(e.getMessage());
        }
        Info i = c.getAnnotation(Info.class);
        System.out.println(i.name() + i.level() + Arrays.toString(i.tags()) + i.type() + i.st());
        System.out.println(c.getAnnotations().length + " " + c.getMethod("add",int.class,int.class).getAnnotation(Info.class).name());
        System.out.println(i.annotationType());
        try {
            Class.forName("no.Such");
        } catch (ClassNotFoundException e) {
            System.out.println(e);
        }
        System.out.println(Class.forName("java.util.ArrayList").getDeclaredConstructor().newInstance());
        System.out.println(int[].class.getName() + String[][].class.getSimpleName() + int.class + Integer.TYPE + new int[0].getClass().getComponentType());
        Object arr = Array.newInstance(int.class,3);
        Array.set(arr,1,5);
        System.out.println(Array.getInt(arr,1) + Array.getLength(arr));
        System.out.println(i);
    }
}
