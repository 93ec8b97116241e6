//@ class hidden
//@ verdict bug
import java.util.concurrent.atomic.AtomicInteger;

/** The text of a record is made from its components when it is asked for. */
public class RecordShown {
    record Gauge(String name, AtomicInteger value) { }

    public static void main(String[] args) throws InterruptedException {
        Gauge gauge = new Gauge("g", new AtomicInteger(1));
        Thread other = new Thread(() -> gauge.value().incrementAndGet());
        other.start();
        String text = "now " + gauge;
        other.join();
        assert text.equals("now Gauge[name=g, value=1]"); //~ assertion
    }
}
