//@ class threads
//@ verdict bug
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A bus calls its listeners under its lock, and a listener publishes under its own. */
public class ListenersUnderLock {
    private final List<Consumer<String>> listeners = new ArrayList<>();

    synchronized void publish(String event) {
        listeners.forEach(listener -> listener.accept(event)); //~ deadlock
    }

    static class Account {
        private final ListenersUnderLock bus;
        private int balance;

        Account(ListenersUnderLock bus) {
            this.bus = bus;
            bus.listeners.add(this::hear);
        }

        synchronized void hear(String event) {
            balance++;
        }

        synchronized void deposit() {
            balance += 10;
            bus.publish("deposit"); //~ deadlock
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ListenersUnderLock bus = new ListenersUnderLock();
        Account account = new Account(bus);
        Thread client = new Thread(account::deposit);
        client.start();
        bus.publish("tick");
        client.join();
    }
}
