/** A thread waits for a while and is interrupted at some time. */
public class OneWaiter {
    static String ending = "";

    public static void main(String[] args) throws InterruptedException {
        Object monitor = new Object();
        Thread waiter = new Thread(() -> {
            synchronized (monitor) {
                try {
                    monitor.wait(10);
                    ending += "went on";
                } catch (InterruptedException e) {
                    ending += "interrupted";
                }
            }
            ending += Thread.interrupted() ? ", later" : ", no more";
        });
        waiter.start();
        waiter.interrupt();
        waiter.join();
        System.out.println(ending);
    }
}
