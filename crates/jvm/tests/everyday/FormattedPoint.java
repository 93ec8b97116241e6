//@ class hidden
//@ verdict bug
/** A point is formatted while it moves. */
public class FormattedPoint {
    static int x, y;
    static final Object point = new Object() {
        @Override
        public String toString() { return x + "," + y; }
    };

    public static void main(String[] args) throws InterruptedException {
        Thread mover = new Thread(() -> {
            x++;
            y++;
        });
        mover.start();
        String text = String.format("[%s]", point);
        assert !text.equals("[1,0]"); //~ assertion
        mover.join();
    }
}
