//@ class natives
//@ verdict bug
/** A point is cloned while it moves. */
public class CloneOfPoint {
    static final class Point implements Cloneable {
        int x, y;
        void move() { x++; y++; }
        Point copy() {
            try {
                return (Point) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Point point = new Point();
        Thread mover = new Thread(point::move);
        mover.start();
        Point copy = point.copy();
        assert copy.x == copy.y; //~ assertion
        mover.join();
    }
}
