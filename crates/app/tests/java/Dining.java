public class Dining {
    static final Object[] forks = { new Object(), new Object(), new Object() };
    public static void main(String[] args) throws Exception {
        Thread[] all = new Thread[3];
        for (int i = 0; i < 3; i++) {
            Object left = forks[i], right = forks[(i + 1) % 3];
            all[i] = new Thread(() -> { synchronized (left) { synchronized (right) { } } }, "philosopher " + i);
        }
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
    }
}
