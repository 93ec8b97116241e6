/** Two threads add one to a counter; with an argument they take turns. */
public class LostUpdate {
    int value;

    synchronized void addSafely() {
        value++;
    }

    public static void main(String[] args) throws InterruptedException {
        LostUpdate counter = new LostUpdate();
        boolean safe = args.length > 0;
        Thread[] threads = new Thread[2];
        for (int number = 0; number < 2; number++) {
            threads[number] = new Thread(() -> {
                if (safe) {
                    counter.addSafely();
                } else {
                    counter.value++;
                }
            });
            threads[number].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("value " + counter.value);
        assert counter.value == 2 : "lost update";
    }
}
