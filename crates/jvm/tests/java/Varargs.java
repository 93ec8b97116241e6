import java.util.*;

/** Variable arguments, boxing, overload resolution. */
public class Varargs {
    static int sum(int... numbers) { int s = 0; for (int n : numbers) s += n; return s; }
    static String f(Object... all) { return all == null ? "null" : all.length + Arrays.toString(all); }
    static String g(int a) { return "int"; }
    static String g(long a) { return "long"; }
    static String g(Integer a) { return "Integer"; }
    static String g(Object a) { return "Object"; }
    static String g(int... a) { return "int..."; }
    @SafeVarargs static <T> List<T> listOf(T... items) { return new ArrayList<>(Arrays.asList(items)); }

    public static void main(String[] args) {
        System.out.println(sum() + " " + sum(1) + " " + sum(1, 2, 3) + " " + sum(new int[] {4, 5}));
        System.out.println(f() + f(1, "a", null) + f((Object[]) null) + f((Object) null) + f(new Object[] {1, 2}));
        byte b = 1;
        long l = 2;
        System.out.println(g(b) + g(l) + g(Integer.valueOf(3)) + g("s") + g() + g(1, 2) + g('c') + g(1.5f));
        System.out.println(listOf(3, 1, 2) + " " + listOf());
        Integer small = 127, same = 127, big = 128, other = 128;
        System.out.println((small == same) + " " + big.equals(other) + " " + (big.intValue() == other));
        Long boxed = 5L;
        Object o = boxed;
        System.out.println(boxed.equals(5) + " " + o.equals(5L) + " " + (boxed == 5));
        Character c = 'x';
        c++;
        Integer count = null;
        try {
            int n = count;
        } catch (NullPointerException e) {
            System.out.println("unboxing null " + c);
        }
        int[] counts = new int[3];
        counts[1]++;
        counts[1] += 2;
        Integer[] boxes = {1, 2, 3};
        boxes[0]++;
        boxes[1] += boxes[2];
        System.out.println(Arrays.toString(counts) + Arrays.toString(boxes));
        System.out.println(true ? 1 : 2.0);
        System.out.println((Object) (true ? 1 : "s"));
        System.out.println(String.format("%s %s", new Object[] {"a", 1}));
        Double d = 1.0;
        double sum = 0;
        for (Double x : new Double[] {d, 2.5, 3.0}) sum += x;
        System.out.println(sum);
    }
}
