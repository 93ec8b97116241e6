/** The same tickets, repaired: asking and taking happen under one lock. */
public class TicketsFixed {
    static int left = 1;

    static synchronized boolean tryToTake() {
        if (left == 0) {
            return false;
        }
        left--;
        if (left < 0) {
            throw new IllegalStateException("sold a ticket that does not exist");
        }
        return true;
    }

    public static void main(String[] args) {
        new Thread(TicketsFixed::tryToTake).start();
        new Thread(TicketsFixed::tryToTake).start();
    }
}
