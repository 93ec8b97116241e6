//@ class threads
//@ verdict bug
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A constructor shows its object before a final field is set. */
public class SubscribedHalfBuilt {
    interface Listener {
        void hear(String message);
    }

    static final List<Listener> listeners = new CopyOnWriteArrayList<>();

    static final class Collector implements Listener {
        final List<String> heard;

        Collector() {
            listeners.add(this);
            heard = new ArrayList<>();
        }

        @Override
        public void hear(String message) {
            heard.add(message); //~ exception
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(Collector::new);
        other.start();
        for (Listener listener : listeners) listener.hear("hello");
        other.join();
    }
}
