//@ class cuts
//@ verdict bug
//@ limited
/** One thread counts for ever, the other finds the number too large. */
public class CountsForEver {
    static volatile int count;

    public static void main(String[] args) {
        Thread counter = new Thread(() -> {
            while (true) count++;
        });
        counter.setDaemon(true);
        counter.start();
        assert count < 2; //~ assertion
    }
}
