/** Large methods, many locals, wide instructions, long constants, deep expressions. */
public class Interning {
    static long wide(long a, double b, int c, float d, long e, double f) { return a + (long) b + c + (long) d + e + (long) f; }

    static double mixed(int i, long l, float f, double d, byte b, short s, char c, boolean z) { return i + l + f + d + b + s + c + (z ? 1 : 0); }

    static int locals() {
        long a = 1, b = 2, c = 3;
        double d = 4, e = 5;
        int f = 6;
        { long g = 7; f += g; }
        { int g = 8, h = 9; f += g * h; }
        for (long i = 0; i < 3; i++) { double j = i * 1.5; f += j; }
        long swap = a;
        a = b;
        b = swap;
        return (int) (a * 10 + b + c + d + e) + f;
    }

    static long[] array = new long[3];
    long field = 5;
    static double statics;

    long dup() { return (field += 7) + (field++) + (++field) + (array[1] += 3) + (array[1]++); }

    public static void main(String[] args) {
        System.out.println(wide(1L << 40, 2.9, 3, 4.9f, 5, 6.1) + " " + mixed(1, 2, 3, 4, (byte) 5, (short) 6, (char) 7, true));
        System.out.println(locals() + " " + new Interning().dup() + " " + array[1]);
        statics = statics++ + 1.5;
        statics += statics *= 2;
        System.out.println(statics);
        long big = 0x7FFF_FFFF_FFFF_FFFFL, hex = 0xFFFF_FFFFL, octal = 0777L, binary = 0b1010L;
        System.out.println(big + hex + octal + binary);
        System.out.println(1e300 * 1e10 + " " + 0x1.0p-1074 + " " + 1_000_000 * 1_000_000 + " " + 'a' * 2 + " " + (5 / 2) * 2.0);
        String s1 = "con" + "stant", s2 = "constant";
        final String part = "con";
        String dynamic = new StringBuilder("con").append("stant").toString();
        System.out.println((s1 == s2) + " " + (part + "stant" == s2) + " " + (dynamic == s2) + " " + (dynamic.intern() == s2));
        int x = 7;
        System.out.println(((((x + 1) * 2 - 3) << 2) ^ 5) % 11 + (x > 5 ? x < 10 ? 1 : 2 : 3) * -x + ~x + (x & 3 | 8) + -(-x));
        int total = 0;
        for (int i = 0; i < 100_000; i++) { total += i % 7 * (i & 3); if ((i & 1) == 0) total ^= i; }
        System.out.println(total);
        double sum = 0;
        for (int i = 0; i < 10_000; i++) sum += Math.sin(i) * Math.sqrt(i);
        System.out.println(Math.round(sum * 1000) / 1000.0);
        float f = 0.1f;
        f += 0.2;
        f -= 1;
        System.out.println(f + " " + (int) f + " " + (f == -0.7f) + " " + (double) f);
    }
}
