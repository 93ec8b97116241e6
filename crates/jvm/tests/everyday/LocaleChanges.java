//@ class initialisers
//@ verdict bug
import java.util.Locale;

/** The default locale is changed while another thread formats a number. */
public class LocaleChanges {
    static String text;

    public static void main(String[] args) throws InterruptedException {
        Thread printer = new Thread(() -> text = String.format("%.1f", 1.5));
        printer.start();
        Locale.setDefault(Locale.GERMANY);
        printer.join();
        assert text.equals("1.5"); //~ assertion
    }
}
