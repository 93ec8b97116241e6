/**
 * Two customers buy the last ticket. Each method is synchronized, but asking and taking are two
 * calls: both customers can be told that there is a ticket left.
 */
public class Tickets {
    static int left = 1;

    static synchronized boolean available() {
        return left > 0;
    }

    static synchronized void take() {
        left--;
        if (left < 0) {
            throw new IllegalStateException("sold a ticket that does not exist");
        }
    }

    static void buy() {
        if (available()) {
            take();
        }
    }

    public static void main(String[] args) {
        new Thread(Tickets::buy).start();
        new Thread(Tickets::buy).start();
    }
}
