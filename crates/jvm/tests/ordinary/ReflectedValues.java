import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;

/** What reflection refuses: values of the wrong type, and fields that are final for good. */
public class ReflectedValues {
    record Point(int x, List<String> tags) { }

    enum Colour { RED, GREEN }

    static class Holder {
        static final String FIXED = "fixed".strip();
        static int total = 1;
        final int first;
        final String second = new String("second");
        int number = 2;
        long wide = 3;
        double real = 1.5;
        char letter = 'a';
        Integer boxed = 4;
        String text = "text";
        int[] numbers = {1};
        List<String> list = List.of();

        Holder(Integer first) {
            this.first = first;
        }

        int add(int one, Integer other) {
            return one + other;
        }

        String join(String one, Object... others) {
            return one + Arrays.toString(others);
        }
    }

    interface Action {
        Object run() throws Throwable;
    }

    static void show(String what, Action action) {
        try {
            System.out.println(what + ": " + action.run());
        } catch (InvocationTargetException exception) {
            System.out.println(what + ": threw " + exception.getCause());
        } catch (Throwable exception) {
            System.out.println(what + ": " + exception);
        }
    }

    static Object set(Class<?> type, String name, Object holder, Object value, boolean accessible) throws Exception {
        Field field = type.getDeclaredField(name);
        if (accessible) {
            field.setAccessible(true);
        }
        field.set(holder, value);
        return field.get(holder);
    }

    public static void main(String[] arguments) throws Throwable {
        Point point = new Point(1, List.of("a"));
        Holder holder = new Holder(5);
        show("record", () -> set(Point.class, "x", point, 9, true));
        show("record list", () -> set(Point.class, "tags", point, null, true));
        System.out.println(point);
        show("static final", () -> set(Holder.class, "FIXED", null, "other", true));
        show("final", () -> set(Holder.class, "first", holder, 6, true));
        show("final unopened", () -> set(Holder.class, "second", holder, "x", false));
        show("final text", () -> set(Holder.class, "second", holder, "x", true));
        System.out.println(Holder.FIXED + " " + holder.second + " " + holder.first);
        for (String name : List.of("number", "wide", "real", "letter", "boxed", "text", "numbers", "list", "total")) {
            for (Object value : new Object[] {7, 8L, 2.5f, 'c', "s", new int[] {3}, true, (byte) 1}) {
                show(name, () -> {
                    Object found = set(Holder.class, name, holder, value, false);
                    return found instanceof int[] array ? Arrays.toString(array) : found;
                });
            }
        }
        show("null number", () -> set(Holder.class, "number", holder, null, false));
        show("other object", () -> set(Holder.class, "number", "no holder", 1, false));
        Field number = Holder.class.getDeclaredField("number");
        show("get other object", () -> number.get("no holder"));
        show("get byte", () -> number.getByte(holder));
        show("get double", () -> number.getDouble(holder));
        show("set long", () -> {
            number.setLong(holder, 3);
            return holder.number;
        });
        show("set char", () -> {
            number.setChar(holder, 'z');
            return holder.number;
        });
        Field first = Holder.class.getDeclaredField("first");
        show("set final int", () -> {
            first.setInt(holder, 3);
            return holder.first;
        });
        var add = Holder.class.getDeclaredMethod("add", int.class, Integer.class);
        show("add", () -> add.invoke(holder, 1, 2));
        show("add char", () -> add.invoke(holder, 'b', 2));
        show("add long", () -> add.invoke(holder, 1L, 2));
        show("add text", () -> add.invoke(holder, 1, "2"));
        show("add null", () -> add.invoke(holder, null, 2));
        show("add null box", () -> add.invoke(holder, 1, null));
        show("add too few", () -> add.invoke(holder, 1));
        var join = Holder.class.getDeclaredMethod("join", String.class, Object[].class);
        show("join", () -> join.invoke(holder, "a", new Object[] {1, "b"}));
        show("join strings", () -> join.invoke(holder, "a", new String[] {"c"}));
        show("join one", () -> join.invoke(holder, "a", "b"));
        show("join numbers", () -> join.invoke(holder, "a", new int[] {1}));
        show("constructor", () -> Holder.class.getDeclaredConstructor(Integer.class).newInstance("five"));
        show("array", () -> {
            Object array = new Integer[] {1};
            Array.set(array, 0, "text");
            return array;
        });
        show("int array", () -> {
            int[] array = {1};
            Array.set(array, 0, 'c');
            return array[0];
        });
        show("int array long", () -> {
            int[] array = {1};
            Array.set(array, 0, 2L);
            return array[0];
        });
        show("array of lists", () -> {
            List<?>[] array = new List<?>[1];
            Array.set(array, 0, List.of(1));
            Array.set(array, 0, null);
            return array[0];
        });
        var lookup = MethodHandles.lookup();
        MethodHandle larger = lookup.findStatic(Math.class, "max", MethodType.methodType(int.class, int.class, int.class));
        MethodHandle length = lookup.findVirtual(String.class, "length", MethodType.methodType(int.class));
        show("bind number", () -> larger.bindTo(7));
        show("bind wrong", () -> length.bindTo(7));
        show("bind", () -> (int) length.bindTo("four").invokeExact());
        System.out.println(Arrays.toString(Point.class.getDeclaredConstructors()[0].getParameters()));
        System.out.println(Point.class.getDeclaredConstructors()[0].getParameters()[1].isNamePresent());
        System.out.println(Arrays.toString(Colour.class.getMethod("valueOf", String.class).getParameters()));
        System.out.println(Arrays.toString(Holder.class.getDeclaredMethod("join", String.class, Object[].class).getParameters()));
    }
}
