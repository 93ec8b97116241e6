//@ class races
//@ verdict ok
// The flag is volatile, so the box that was stored before it is full for everybody who sees it.
public class BoxHandedOnInOrder {
    static class Box {
        int x = 5;
    }

    static Box box;
    static volatile boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(() -> {
            box = new Box();
            ready = true;
        });
        maker.start();
        if (ready) {
            assert box.x == 5;
        }
        maker.join();
    }
}
