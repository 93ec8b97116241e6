//@ class natives
//@ verdict ok

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;

/** Handles that decide, catch, spread and collect. */
public class DecidingHandles {
    int field = 7;

    static boolean positive(int x) {
        return x > 0;
    }

    static String yes(int x) {
        return "yes " + x;
    }

    static String no(int x) {
        return "no " + x;
    }

    static String fails(int x) {
        throw new IllegalStateException("bad");
    }

    static String caught(IllegalStateException e, int x) {
        return "caught " + e.getMessage() + " " + x;
    }

    static String two(int a, int b) {
        return a + "," + b;
    }

    static void same(Object is, Object should) {
        if (!is.equals(should)) {
            throw new AssertionError(is + " is not " + should);
        }
    }

    static MethodHandle find(String name, Class<?> result, Class<?>... parameters) throws Exception {
        MethodType type = MethodType.methodType(result, parameters);
        return MethodHandles.lookup().findStatic(DecidingHandles.class, name, type);
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup look = MethodHandles.lookup();
        MethodHandle yes = find("yes", String.class, int.class);
        MethodHandle guarded = MethodHandles.guardWithTest(
                find("positive", boolean.class, int.class), yes, find("no", String.class, int.class));
        same((String) guarded.invokeExact(3) + ", " + (String) guarded.invokeExact(-3), "yes 3, no -3");
        MethodHandle fails = find("fails", String.class, int.class);
        MethodHandle caught = find("caught", String.class, IllegalStateException.class, int.class);
        MethodHandle safe = MethodHandles.catchException(fails, IllegalStateException.class, caught);
        same((String) safe.invokeExact(4), "caught bad 4");
        DecidingHandles it = new DecidingHandles();
        look.findSetter(DecidingHandles.class, "field", int.class).invokeExact(it, 9);
        same((int) look.findGetter(DecidingHandles.class, "field", int.class).bindTo(it).invokeExact(), 9);
        same(MethodHandles.constant(String.class, "c").invoke(), "c");
        same(MethodHandles.identity(int.class).invoke(5), 5);
        MethodType ints = MethodType.methodType(int.class, int.class, int.class);
        MethodHandle spread = look.findStatic(Math.class, "max", ints).asSpreader(Object[].class, 2);
        same((int) spread.invoke(new Object[] {4, 6}), 6);
        try {
            spread.invoke(new Object[] {4});
            throw new AssertionError("too few");
        } catch (IllegalArgumentException e) {
            // As it should be.
        }
        MethodHandle list = look.findStatic(Arrays.class, "asList", MethodType.methodType(List.class, Object[].class));
        same(list.asCollector(Object[].class, 2).invoke((Object) 1, (Object) 2), List.of(1, 2));
        same(list.invokeWithArguments("a", "b"), List.of("a", "b"));
        MethodHandle folded = MethodHandles.foldArguments(
                find("two", String.class, int.class, int.class), MethodHandles.identity(int.class));
        same((String) folded.invoke(2), "2,2");
        MethodHandle element = MethodHandles.arrayElementGetter(int[].class);
        same((int) element.invokeExact(new int[] {1, 2}, 1), 2);
        MethodHandle reflected = look.unreflect(DecidingHandles.class.getDeclaredMethod("two", int.class, int.class));
        same((String) reflected.invoke(3, 4), "3,4");
        same((int) look.unreflectGetter(DecidingHandles.class.getDeclaredField("field")).invoke(it), 9);
        MethodType changed = MethodType.methodType(int.class, String.class).changeReturnType(long.class);
        same(changed.toString(), "(String)long");
        same(changed.appendParameterTypes(int.class).parameterCount(), 2);
    }
}
