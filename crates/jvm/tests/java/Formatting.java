import java.util.*;

/** String.format and printf. */
public class Formatting {
    public static void main(String[] args) {
        System.out.println(String.format("%d|%5d|%-5d|%05d|%+d|%,d|%(d|% d", 42, 42, 42, 42, 42, 1234567, -5, 7));
        System.out.println(String.format("%x|%X|%#x|%o|%08x", 255, 255, 255, 8, 48879));
        System.out.println(String.format("%s|%10s|%-10s|%.2s|%S", "text", "right", "left", "cut", "upper"));
        System.out.println(String.format("%f|%.2f|%10.3f|%-10.1f|%e|%.3e|%g|%.0f", 3.14159, 2.71828, 1.5, 2.25, 12345.678, 0.00012, 0.5, 2.5));
        System.out.println(String.format("%c|%b|%n|%%|%h", 'x', true, "hash"));
        System.out.println(String.format("%2$s %1$s %2$s", "a", "b"));
        System.out.println(String.format("%s %s %s", null, List.of(1, 2), new int[0].length));
        System.out.println(String.format("%d %d %d %d", (byte) 1, (short) 2, 3L, new java.math.BigInteger("123456789012345678901")));
        System.out.println(String.format(Locale.ROOT, "%.3f %,.2f %10.2e", 1.0 / 3, 1234567.891, 1e10));
        System.out.printf("%s is %d years and %.1f%% done%n", "Ann", 30, 99.5);
        System.out.println(String.format("%b %b %s", null, "x", Optional.of(1)));
        System.out.println(String.format("%.1f %.1f %.1f %.1f", 0.05, 0.15, 0.25, 0.35));
        System.out.println(String.format("%5c|%-3b|%08.2f|%+.1e", 'z', false, -3.14159, 12345.0));
        System.out.println(String.format("%f %f %s %s", Double.NaN, Double.POSITIVE_INFINITY, Float.MIN_VALUE, -0.0));
        try {
            String.format("%d", "no");
        } catch (IllegalFormatException e) {
            System.out.println(e.getMessage());
        }
        try {
            String.format("%s %s", 1);
        } catch (MissingFormatArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("|%6.2f|".formatted(Math.PI) + String.format("%x", -1L));
        StringBuilder sb = new StringBuilder();
        new Formatter(sb).format("%04d-%s", 7, "x").format("!");
        System.out.println(sb);
    }
}
