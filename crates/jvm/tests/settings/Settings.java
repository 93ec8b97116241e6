import java.net.URLEncoder;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.ForkJoinPool;

/** Settings of the whole program, changed in one thread and used for the first time in another. */
public class Settings {
    static volatile String seen;

    interface Use {
        String use() throws Exception;
    }

    static void race(Runnable change, Use use) throws Exception {
        Thread thread = new Thread(change);
        thread.start();
        seen = use.use();
        thread.join();
        System.out.print(seen);
    }

    static String encode() { return URLEncoder.encode("\u00e9"); }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "formatter" -> race(() -> Locale.setDefault(Locale.FRANCE),
                () -> DateTimeFormatter.ISO_DATE.getLocale().toString());
            case "encoder" -> race(() -> System.setProperty("file.encoding", "UTF-16"), Settings::encode);
            case "common-pool" -> race(
                () -> System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "7"),
                () -> String.valueOf(ForkJoinPool.getCommonPoolParallelism() == 7));
            case "time-zone" -> race(() -> TimeZone.setDefault(TimeZone.getTimeZone("GMT+5")),
                () -> TimeZone.getDefault().getID());
            case "property" -> race(() -> System.setProperty("mine", "set"),
                () -> System.getProperty("mine", "unset"));
            case "properties" -> race(() -> System.getProperties().put("mine", "set"),
                () -> String.valueOf(System.getProperty("mine")));
            case "locale" -> race(() -> Locale.setDefault(Locale.GERMANY),
                () -> Locale.getDefault().toString());
            // First the one, then the other, in one thread: nothing is open.
            case "in-order" -> {
                Thread thread = new Thread(() -> {
                    Locale.setDefault(Locale.FRANCE);
                    seen = DateTimeFormatter.ISO_DATE.getLocale().toString();
                });
                thread.start();
                thread.join();
                System.out.print(seen);
            }
            case "used-before" -> {
                String before = DateTimeFormatter.ISO_DATE.getLocale().toString();
                Thread thread = new Thread(() -> Locale.setDefault(Locale.FRANCE));
                thread.start();
                thread.join();
                System.out.print(before + " " + DateTimeFormatter.ISO_DATE.getLocale());
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
