//@ class natives
//@ verdict ok
/** A random generator is shared: no number is drawn twice. */
public class SharedRandom {
    static final java.util.Random random = new java.util.Random(1);
    static long others;

    public static void main(String[] args) throws InterruptedException {
        java.util.Random same = new java.util.Random(1);
        long expected = (long) same.nextInt() + same.nextInt();
        Thread other = new Thread(() -> others = random.nextInt());
        other.start();
        long own = random.nextInt();
        other.join();
        assert own + others == expected;
    }
}
