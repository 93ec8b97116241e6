import java.util.*;
public class EvaluationOrder {
    static int calls;
    static boolean t(String s) {
        System.out.print(s);
        calls++;
        return true;
    }
    static boolean f(String s) {
        System.out.print(s);
        return false;
    }
    static int side(int x) {
        System.out.print("<" + x + ">");
        return x;
    }
    public static void main(String[] args) {
        if (f("a") && t("b") || t("c") & f("d") | t("e")) System.out.println("!");
        else System.out.println("?");
        int r = side(1) + side(2) * side(3);
        System.out.println(r);
        int[] a = {10, 20, 30};
        int i = 0;
        a[i] = i = 2;
        System.out.println(Arrays.toString(a) + i);
        i = 0;
        a[i++] += a[i++] + i;
        System.out.println(Arrays.toString(a));
        int x = 1;
        x += x++ + ++x;
        System.out.println(x);
        int k = 3;
        k ^= k << 2;
        k = -k >>> 28;
        System.out.println(k);
        long l = 1L << 40;
        int sh = 1 << 40;
        System.out.println(l + " " + sh);
        System.out.println((5 > 3 ? "a" : "b") + (null == null) + (1 == 1.0) + ('a' == 97) + (10_000 == 1e4));
        try {
            int[] n = null;
            n[side(7)] = side(8);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            int[] z = new int[1];
            z[side(5)] = side(6) / 0;
        } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        String s = null;
        s += "x";
        System.out.println(s);
        char c = 'x';
        c++;
        System.out.println(c);
        System.out.println("" + c + 1 + 'y' + (char) (c + 1));
        byte b = 127;
        b++;
        System.out.println(b);
        short q = (short) 40000;
        System.out.println(q);
        final int FI = 10;
        byte fb = FI;
        System.out.println(fb);
        double d = 10 / 4;
        System.out.println(d + 10 / 4.0);
        int big = 1_000_000;
        System.out.println(big * big + " " + (long) big * big);
        System.out.println(0.1 + 0.7 + " " + (0.1 + 0.7) * 10 + " " + (int) ((0.1 + 0.7) * 10));
        System.out.println(Integer.MIN_VALUE == -Integer.MIN_VALUE);
        System.out.println((byte) (char) (byte) -1 + " " + (int) (char) (byte) -1);
        System.out.println(1 + -+-+1);
        for (char ch = 'a'; ch < 'e'; ch += 2) System.out.print(ch);
        System.out.println();
        for (;;) {
            if (++i > 5) break;
        }
        System.out.println(i);
        do i--;
        while (i > 0);
        System.out.println(i);
        switch (i) {
            default: System.out.println("def");
            case 1: System.out.println("one");
            break;
            case 2: System.out.println("two");
        }
        int y = switch ("b") {
            case "a" -> 1;
            case "b" -> {
                int tmp = 5;
                yield tmp * 2;
            }
            default -> 0;
        };
        System.out.println(y);
        System.out.println(calls);
        Object o = y > 5 ? "str" : Integer.valueOf(3);
        System.out.println(o.getClass().getName());
        Integer nul = null;
        try {
            int bad = true ? nul : 0;
        } catch (NullPointerException e) {
            System.out.println("unbox");
        }
        System.out.println(Objects.requireNonNullElseGet(null, () -> "gen"));
        System.out.println(((Object) 'a').equals('a') + " " + "a".equals('a'));
    }
}
