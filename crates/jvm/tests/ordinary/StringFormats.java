import java.util.*;
public class StringFormats {
    public static void main(String[] a) {
        System.out.println(String.format("%5d|%-5d|%05d|%+d|%,d|%(d|% d|%x|%X|%o|%#x|%#o", 42,42,42,42,1234567,-5,7,255,255,8,255,8));
        System.out.println(String.format("%.2f|%8.3f|%08.3f|%e|%.3e|%E|%g|%a|%,.2f|%+.1f", 3.14159,3.14159,3.14159,12345.678,12345.678,0.00012,0.0001234,1.0,1234567.891,2.55));
        System.out.println(String.format("%s|%10s|%-10s|%.3s|%S|%c|%C|%b|%B|%h|%%|%n", "hi","hi","hi","hello","hi",'x','y',true,false,"hi").trim());
        System.out.println(String.format("%2$s %1$s %2$s %<s", "a","b"));
        System.out.println(String.format(Locale.GERMANY, "%,.2f %,d", 1234567.891, 1234567));
        System.out.println(String.format(Locale.FRANCE, "%,.2f", 1234567.891));
        System.out.println(String.format(Locale.ROOT, "%,.2f", 1234567.891));
        System.out.printf("%tY-%<tm-%<td %<tH:%<tM:%<tS %<tB %<tA %<tj%n", new GregorianCalendar(2020, 1, 29, 13, 5, 9));
        try {
            String.format("%d", "x");
        } catch (IllegalFormatException e) {
            System.out.println(e);
        }
        try {
            String.format("%q", 1);
        } catch (IllegalFormatException e) {
            System.out.println(e);
        }
        try {
            String.format("%s %s", 1);
        } catch (IllegalFormatException e) {
            System.out.println(e);
        }
        try {
            String.format("%-d", 1);
        } catch (IllegalFormatException e) {
            System.out.println(e);
        }
        System.out.println("%d-%s".formatted(3, List.of(1,2)));
        System.out.println(String.format("%b %b %s %s", null, "x", null, new int[0].length));
        System.out.println(String.format("%x %x %X", (byte)-1, (short)-1, -1L));
        System.out.println(String.format("%.0f %.1f %.2f", 0.5, 0.25, 0.125));
        System.out.println(String.format("%f %f %f", Double.NaN, Double.POSITIVE_INFINITY, -0.0));
    }
}
