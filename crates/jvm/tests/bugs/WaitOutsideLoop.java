//@ switches 4
import java.util.ArrayDeque;

/** Who is woken does not look again, and somebody else was quicker. */
public class WaitOutsideLoop {
    private final ArrayDeque<String> letters = new ArrayDeque<>();

    synchronized void put(String letter) {
        letters.add(letter);
        notifyAll();
    }

    synchronized String take(boolean fixed) throws InterruptedException {
        if (fixed) {
            while (letters.isEmpty()) {
                wait();
            }
        } else if (letters.isEmpty()) {
            wait();
        }
        return letters.remove(); //~ exception
    }

    public static void main(String[] args) throws InterruptedException {
        WaitOutsideLoop box = new WaitOutsideLoop();
        boolean fixed = args.length > 0;
        for (int number = 0; number < 2; number++) {
            new Thread(() -> {
                try {
                    box.take(fixed);
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }).start();
        }
        box.put("a");
        box.put("b");
    }
}
