/** Names and identity hashes of what threads make do not depend on the schedule. */
public class Names {
    static final int[][] hashes = new int[3][4];
    static String name;

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int n = i;
            threads[i] = new Thread(() -> {
                hashes[n][0] = new Object().hashCode();
                Thread child = new Thread(() -> { hashes[n][1] = System.identityHashCode(new int[n]); if (n == 1) name = Thread.currentThread().getName(); });
                child.start();
                hashes[n][2] = child.hashCode();
                synchronized (hashes) { hashes[n][3] = hashes.hashCode() + Names.class.hashCode() + Thread.State.NEW.hashCode(); }
                try { child.join(); } catch (InterruptedException e) { }
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        int sum = 0;
        for (int[] row : hashes) for (int h : row) { if (h == 0) throw new AssertionError(); sum = sum * 31 + h; }
        System.out.println(sum + " " + name);
    }
}
