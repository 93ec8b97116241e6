//@ class threads
//@ verdict ok
import java.util.concurrent.Exchanger;

/** Two threads exchange what they have. */
public class ExchangedOnce {
    static String got;

    public static void main(String[] args) throws InterruptedException {
        Exchanger<String> exchanger = new Exchanger<>();
        Thread other = new Thread(() -> {
            try {
                got = exchanger.exchange("other");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        String mine = exchanger.exchange("main");
        other.join();
        assert mine.equals("other") && got.equals("main");
    }
}
