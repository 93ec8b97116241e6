import java.util.*;
import java.time.*;
import java.time.format.*;
import java.text.*;
public class LocalizedFormats {
    public static void main(String[] a) throws Exception {
        System.out.println(DateTimeFormatter.ofPattern("EEEE, MMMM d, yyyy", Locale.ENGLISH).format(LocalDate.of(2024,3,15)));
        System.out.println(DateTimeFormatter.ofPattern("EEEE d MMMM yyyy", Locale.FRENCH).format(LocalDate.of(2024,3,15)));
        System.out.println(DateTimeFormatter.ofPattern("EEE d. MMM", Locale.GERMAN).format(LocalDate.of(2024,3,15)));
        System.out.println(DateTimeFormatter.ofLocalizedDate(FormatStyle.MEDIUM).withLocale(Locale.US).format(LocalDate.of(2024,3,15)));
        System.out.println(DayOfWeek.MONDAY.getDisplayName(TextStyle.SHORT, Locale.US) + Month.MAY.getDisplayName(TextStyle.FULL, Locale.FRANCE));
        System.out.println(new SimpleDateFormat("EEE, d MMM yyyy HH:mm:ss Z", Locale.US).format(new Date(86400000L * 365)));
        System.out.println(DateFormat.getDateInstance(DateFormat.LONG, Locale.US).format(new Date(0)));
        System.out.println(NumberFormat.getCurrencyInstance(Locale.GERMANY).format(1234.56) + NumberFormat.getInstance(Locale.FRANCE).format(1234567.891) + NumberFormat.getPercentInstance().format(0.5) + NumberFormat.getCompactNumberInstance(Locale.US, NumberFormat.Style.SHORT).format(12345));
        DecimalFormat df = new DecimalFormat("$#,##0.00;($#,##0.00)");
        System.out.println(df.format(-1234.5) + df.parse("$1,000.25"));
        System.out.println(NumberFormat.getInstance().parse("1,234.5abc"));
        try {
            new DecimalFormat("0.00").parse("xyz");
        } catch (ParseException e) {
            System.out.println(e.getMessage() + e.getErrorOffset());
        }
        try {
            new SimpleDateFormat("yyyy-MM-dd").parse("bad");
        } catch (ParseException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(String.format(Locale.GERMANY, "%,.2f|%tA", 9876.543, LocalDate.of(2024,3,15)) + String.format("%1$tF %1$tT", LocalDateTime.of(2024,3,15,1,2,3)));
        System.out.println(Duration.ofMinutes(135).toHoursPart() + ":" + Duration.ofMinutes(135).toMinutesPart() + " " + Instant.parse("2024-01-01T00:00:00Z").getEpochSecond() + " " + LocalDate.ofEpochDay(19000) + " " + LocalDate.ofYearDay(2024,60) + LocalTime.parse("10:15").isAfter(LocalTime.NOON) + ZonedDateTime.parse("2024-03-15T10:15:30+01:00[Europe/Paris]").toLocalDate());
        Calendar c = Calendar.getInstance(TimeZone.getTimeZone("UTC"), Locale.US);
        c.clear();
        c.set(2024, Calendar.FEBRUARY, 29);
        c.add(Calendar.YEAR, 1);
        System.out.println(c.get(Calendar.YEAR) + "-" + (c.get(Calendar.MONTH)+1) + "-" + c.get(Calendar.DATE) + " " + c.get(Calendar.DAY_OF_WEEK) + c.getTime());
    }
}
