//@ class threads
//@ verdict bug
import java.util.Vector;

/** The text of an order asks a vector for its size, which takes the vector's lock. */
public class FormattedWithVectorInside {
    static final Vector<String> items = new Vector<>();

    record Order(int number) {
        @Override
        public String toString() {
            return "order " + number + " of " + items.size(); //~ deadlock
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread adder = new Thread(() -> {
            synchronized (items) {
                items.add("tea");
                System.out.println("added"); //~ deadlock
            }
        });
        adder.start();
        System.out.format("%s%n", new Order(1));
        adder.join();
    }
}
