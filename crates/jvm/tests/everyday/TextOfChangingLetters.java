//@ class natives
//@ verdict bug
import java.util.Arrays;

/** A string is made of letters that another thread changes. */
public class TextOfChangingLetters {
    static final char[] letters = {'a', 'a'};

    public static void main(String[] args) throws InterruptedException {
        Thread painter = new Thread(() -> Arrays.fill(letters, 'b'));
        painter.start();
        String text = new String(letters);
        assert text.equals("aa") || text.equals("bb"); //~ assertion
        painter.join();
    }
}
