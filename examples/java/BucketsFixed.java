import counterpoint.Input;

/** The same buckets, repaired: `floorMod` is never negative. */
public class BucketsFixed {
    static final int[] counts = new int[10];

    static void count(int key) {
        counts[Math.floorMod(key, counts.length)]++;
    }

    public static void main(String[] args) {
        count(Input.anyInt());
    }
}
