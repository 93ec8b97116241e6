import java.text.SimpleDateFormat;
import java.util.Date;

/** Two threads write dates with one format, which keeps the date at hand in a calendar. */
public class SharedFormat {
    static final SimpleDateFormat FORMAT = new SimpleDateFormat("yyyy-MM-dd");

    public static void main(String[] arguments) throws InterruptedException {
        String[] written = new String[2];
        Thread first = new Thread(() -> written[0] = FORMAT.format(new Date(0)));
        Thread second = new Thread(() -> written[1] = FORMAT.format(new Date(86_400_000L * 400)));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(written[0] + " " + written[1]);
    }
}
