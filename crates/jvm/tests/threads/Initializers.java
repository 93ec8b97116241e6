/** Classes initialised by competing threads, each exactly once. */
public class Initializers {
    static int count;
    static synchronized int counted() { return ++count; }
    static class Lazy { static final int value = counted(); static int get() { return value; } }
    static class Parent { static int p = counted(); }
    static class Child extends Parent { static int c = p * 10 + counted(); }

    public static void main(String[] args) throws InterruptedException {
        int[] seen = new int[3];
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++) { int n = i; threads[i] = new Thread(() -> { seen[n] = Lazy.get(); new Child(); }); }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        if (seen[0] != seen[1] || seen[1] != seen[2] || count != 3) throw new AssertionError(seen[0] + " " + seen[1] + " " + seen[2] + " " + count);
        System.out.println("once");
    }
}
