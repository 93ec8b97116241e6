import java.util.*;

/** A bounded buffer with wait and notifyAll. */
public class Buffer {
    private final LinkedList<Integer> items = new LinkedList<>();
    synchronized void put(int x) throws InterruptedException { while (items.size() == 2) wait(); items.add(x); notifyAll(); }
    synchronized int take() throws InterruptedException { while (items.isEmpty()) wait(); int x = items.removeFirst(); notifyAll(); return x; }

    public static void main(String[] args) throws Exception {
        Buffer buffer = new Buffer();
        int[] sum = new int[2];
        Thread[] threads = new Thread[4];
        for (int t = 0; t < 2; t++) {
            int id = t;
            threads[t] = new Thread(() -> { try { for (int i = 1; i <= 3; i++) buffer.put(i * (id == 0 ? 1 : 10)); } catch (InterruptedException e) { } });
            threads[t + 2] = new Thread(() -> { try { for (int i = 0; i < 3; i++) sum[id] += buffer.take(); } catch (InterruptedException e) { } });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println(sum[0] + sum[1]);
    }
}
