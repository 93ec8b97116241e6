//@ switches 4
/** Two threads count, and one of the steps gets lost. */
public class LostUpdate {
    private int count;

    private void increment() {
        count++;
    }

    private synchronized void incrementAlone() {
        count++;
    }

    public static void main(String[] args) throws InterruptedException {
        LostUpdate counter = new LostUpdate();
        Runnable work = args.length > 0 ? counter::incrementAlone : counter::increment;
        Thread one = new Thread(work);
        Thread two = new Thread(work);
        one.start();
        two.start();
        one.join();
        two.join();
        assert counter.count == 2; //~ assertion
    }
}
