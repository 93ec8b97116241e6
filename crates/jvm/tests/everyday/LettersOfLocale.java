//@ class initialisers
//@ verdict bug
import java.util.Locale;

/** Small letters depend on the default locale. */
public class LettersOfLocale {
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> Locale.setDefault(new Locale("tr")));
        other.start();
        String text = "I".toLowerCase();
        other.join();
        assert text.equals("i"); //~ assertion
    }
}
