import java.text.*;
import java.util.*;
public class TextFormats {
    public static void main(String[] a) throws Exception {
        SimpleDateFormat f = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss");
        f.setTimeZone(TimeZone.getTimeZone("UTC"));
        System.out.println(f.format(new Date(0)));
        System.out.println(f.parse("2001-09-09 01:46:40").getTime());
        System.out.println(new DecimalFormat("#,##0.00").format(1234567.891) + " " + new DecimalFormat("000.###").format(3.14159) + " " + new DecimalFormat("0.##E0").format(12345));
        System.out.println(NumberFormat.getInstance(Locale.US).format(1234567.891) + " " + NumberFormat.getPercentInstance(Locale.US).format(0.256) + " " + NumberFormat.getCurrencyInstance(Locale.US).format(1234.5));
        System.out.println(MessageFormat.format("{0} has {1} items, {2,number,#.##}", "Bob", 3, 2.456));
        System.out.println(new ChoiceFormat("0#none|1#one|2#many").format(5));
        Calendar c = new GregorianCalendar(2024, Calendar.MARCH, 15);
        c.add(Calendar.DAY_OF_MONTH, 20);
        System.out.println(c.get(Calendar.MONTH) + " " + c.get(Calendar.DAY_OF_MONTH) + " " + c.getActualMaximum(Calendar.DAY_OF_MONTH));
    }
}
