//@ class memory
//@ verdict ok
//@ racy
/** An object is published by a plain field. */
public class PlainPublication {
    static final class Box { int value; }
    static Box box;

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(() -> {
            Box made = new Box();
            made.value = 3;
            box = made; //~ race
        });
        maker.start();
        Box seen = box; //~ race
        if (seen != null) assert seen.value == 3; //~ race
        maker.join();
    }
}
