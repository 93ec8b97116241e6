import counterpoint.Input;
import java.util.concurrent.atomic.AtomicInteger;

/** Unknowns in elements of all widths that two threads share. */
class Elements {
    static final byte[] bytes = new byte[2];
    static final char[] chars = new char[2];
    static final int[] ints = new int[2];
    static final long[] longs = new long[2];
    static final AtomicInteger turn = new AtomicInteger();
    static int failures;

    static void write(int at) {
        bytes[at] = Input.anyByte();
        chars[at] = (char) (bytes[at] + 1);
        ints[at] = chars[at] * 2;
        longs[at] = ints[at] + Input.anyInt();
        turn.addAndGet(ints[at] & 1);
        if (longs[1 - at] == 12 && ints[at] == ints[1 - at]) {
            turn.compareAndSet(bytes[at], 3);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(() -> write(1));
        thread.start();
        write(0);
        thread.join();
        // What is even plus what is even is even, and nobody has set it to three but for a zero.
        if (turn.get() == 3 && bytes[0] != 0 && bytes[1] != 0) {
            failures++;
        }
        assert failures == 0;
    }
}
