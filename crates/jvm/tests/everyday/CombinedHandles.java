//@ class natives
//@ verdict ok

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Handles that are made from others: arguments given, dropped, swapped, filtered, and results filtered. */
public class CombinedHandles {
    static int minus(int a, int b) {
        return a - b;
    }

    static String marked(String text) {
        return "<" + text + ">";
    }

    static void same(Object is, Object should) {
        if (!is.equals(should)) {
            throw new AssertionError(is + " is not " + should);
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup look = MethodHandles.lookup();
        MethodType ints = MethodType.methodType(int.class, int.class, int.class);
        MethodHandle minus = look.findStatic(CombinedHandles.class, "minus", ints);
        same((int) MethodHandles.insertArguments(minus, 0, 10).invokeExact(3), 7);
        same((int) MethodHandles.insertArguments(minus, 1, 10).invoke(3), -7);
        same((int) MethodHandles.insertArguments(minus, 0, 9, 4).invokeExact(), 5);
        same((int) MethodHandles.permuteArguments(minus, ints, 1, 0).invokeExact(3, 10), 7);
        MethodHandle text = look.findStatic(String.class, "valueOf", MethodType.methodType(String.class, int.class));
        MethodHandle marked = look.findStatic(CombinedHandles.class, "marked", MethodType.methodType(String.class, String.class));
        same((String) MethodHandles.filterReturnValue(text, marked).invokeExact(5), "<5>");
        MethodHandle length = look.findVirtual(String.class, "length", MethodType.methodType(int.class));
        same((int) MethodHandles.filterArguments(minus, 0, length).invoke("four", 1), 3);
        same((int) MethodHandles.dropArguments(length, 1, String.class).invoke("abc", "x"), 3);
        MethodHandle adding = MethodHandles.collectArguments(minus, 0, minus);
        same(adding.type(), MethodType.methodType(int.class, int.class, int.class, int.class));
        same((int) adding.invokeExact(9, 3, 2), 4);
        Thread other = new Thread(() -> {
            try {
                same((int) adding.invokeExact(5, 1, 1), 3);
            } catch (Throwable e) {
                throw new Error(e);
            }
        });
        other.start();
        same((int) adding.invokeExact(6, 1, 1), 4);
        other.join();
    }
}
