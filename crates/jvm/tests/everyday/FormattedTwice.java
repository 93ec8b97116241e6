//@ class hidden
//@ verdict bug
/** A formatter asks an object for its text as often as it occurs. */
public class FormattedTwice {
    static volatile int number;

    static final class Ticket {
        @Override
        public String toString() {
            return "#" + number;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Ticket ticket = new Ticket();
        Thread other = new Thread(() -> number = 1);
        other.start();
        String text = String.format("%s %1$s", ticket);
        other.join();
        assert text.equals("#0 #0") || text.equals("#1 #1"); //~ assertion
    }
}
