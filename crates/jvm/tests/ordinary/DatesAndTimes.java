import java.time.*;
import java.time.format.*;
import java.time.temporal.*;
public class DatesAndTimes {
    public static void main(String[] a) {
        LocalDate d = LocalDate.of(2024, 2, 28);
        System.out.println(d + " " + d.plusDays(2) + " " + d.isLeapYear() + " " + d.getDayOfWeek() + " " + d.withDayOfMonth(1).minusMonths(1) + d.lengthOfMonth());
        System.out.println(Duration.ofSeconds(3661) + " " + Duration.ofMillis(1500).toMillis() + " " + Period.between(LocalDate.of(2000,1,15), d) + " " + ChronoUnit.DAYS.between(LocalDate.of(2000,1,1), d));
        System.out.println(LocalDateTime.of(2020,1,2,3,4,5).format(DateTimeFormatter.ISO_LOCAL_DATE_TIME) + " " + LocalTime.of(23,59).plusMinutes(2) + " " + LocalDate.parse("2021-03-04").getMonth());
        System.out.println(LocalDateTime.of(2020,1,2,13,4,5).format(DateTimeFormatter.ofPattern("dd/MM/yyyy HH:mm:ss")));
        System.out.println(LocalDateTime.of(2020,1,2,13,4,5).format(DateTimeFormatter.ofPattern("EEE, d MMM yyyy h:mm a")));
        System.out.println(LocalDate.parse("04.03.2021", DateTimeFormatter.ofPattern("dd.MM.yyyy")));
        System.out.println(Instant.ofEpochSecond(1000000000L) + " " + Instant.EPOCH.plus(1, ChronoUnit.DAYS));
        System.out.println(ZonedDateTime.of(2020,1,1,0,0,0,0,ZoneOffset.UTC) + " " + OffsetDateTime.of(2020,1,1,0,0,0,0,ZoneOffset.ofHours(2)));
        try {
            LocalDate.of(2023,2,29);
        } catch (DateTimeException e) {
            System.out.println(e.getMessage());
        }
        try {
            LocalDate.parse("nope");
        } catch (DateTimeParseException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(d.with(TemporalAdjusters.firstDayOfNextMonth()) + " " + d.with(TemporalAdjusters.next(DayOfWeek.MONDAY)) + " " + d.get(ChronoField.ALIGNED_WEEK_OF_YEAR));
        System.out.println(Year.of(2000).isLeap() + " " + YearMonth.of(2020,2).atEndOfMonth() + " " + MonthDay.of(12,25) + DayOfWeek.MONDAY.plus(3) + Month.JANUARY.minus(1));
        System.out.println(Duration.parse("PT1H30M").getSeconds() + " " + Duration.between(LocalTime.of(1,0), LocalTime.of(2,30)) + Duration.ofDays(2).plusHours(5).toString() + d.compareTo(LocalDate.MIN));
    }
}
