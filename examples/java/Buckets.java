import counterpoint.Input;

/** Counts keys in ten buckets. One key in four thousand million has no bucket. */
public class Buckets {
    static final int[] counts = new int[10];

    static void count(int key) {
        counts[Math.abs(key) % counts.length]++;
    }

    public static void main(String[] args) {
        count(Input.anyInt());
    }
}
