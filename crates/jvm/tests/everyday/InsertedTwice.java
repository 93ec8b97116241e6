//@ class natives
//@ verdict ok
/** Two threads insert into a builder, each under its lock. */
public class InsertedTwice {
    static final StringBuilder text = new StringBuilder("--");

    static void insert(char letter) {
        synchronized (text) { text.insert(1, letter); }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> insert('b'));
        other.start();
        insert('a');
        other.join();
        String result = text.toString();
        assert result.equals("-ab-") || result.equals("-ba-");
    }
}
