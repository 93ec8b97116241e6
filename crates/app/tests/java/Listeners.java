import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

public class Listeners {
    private final Map<String, List<Consumer<String>>> listeners = new ConcurrentHashMap<>();

    void listen(String topic, Consumer<String> listener) {
        listeners.put(topic, List.of(listener));
    }

    void tell(String topic, String text) {
        for (Consumer<String> listener : listeners.getOrDefault(topic, List.of())) {
            listener.accept(text);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Listeners all = new Listeners();
        List<String> log = new ArrayList<>();
        all.listen("made", text -> log.add(text));
        Thread other = new Thread(() -> all.listen("deleted", text -> log.add(text)), "subscriber");
        other.start();
        all.tell("made", "ann");
        all.tell("deleted", "ann");
        other.join();
        if (log.size() != 2) {
            throw new IllegalStateException("lost: " + log);
        }
    }
}
