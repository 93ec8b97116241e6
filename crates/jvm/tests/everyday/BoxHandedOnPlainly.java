//@ class races
//@ verdict ok
//@ racy
// Whoever finds the box by the plain reference may find it empty on a real machine.
public class BoxHandedOnPlainly {
    static class Box {
        int x;
        final int y;

        Box(int x) {
            this.x = x;
            this.y = x;
        }
    }

    static Box box;

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(() -> box = new Box(5)); //~ race
        maker.start();
        Box found = box; //~ race
        if (found != null) {
            int y = found.y;
            int x = found.x; //~ race
            assert x == y;
        }
        maker.join();
        assert box.x == 5;
    }
}
