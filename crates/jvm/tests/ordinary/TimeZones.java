import java.time.*;
public class TimeZones {
    public static void main(String[] a) {
        ZonedDateTime z = ZonedDateTime.of(2020,7,1,12,0,0,0, ZoneId.of("Europe/Paris"));
        System.out.println(z + " " + z.withZoneSameInstant(ZoneId.of("America/New_York")) + " " + z.toInstant());
        System.out.println(ZoneId.of("Europe/Paris").getRules().isDaylightSavings(z.toInstant()));
    }
}
