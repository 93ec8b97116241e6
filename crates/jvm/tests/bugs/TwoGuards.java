//@ switches 4
/** One method is guarded by the object, the other by its class: by nothing in common. */
public class TwoGuards {
    private static int total;

    synchronized void add() {
        total += 1;
    }

    static synchronized void addStatic() {
        total += 1;
    }

    public static void main(String[] args) throws InterruptedException {
        TwoGuards object = new TwoGuards();
        Thread one = new Thread(args.length > 0 ? TwoGuards::addStatic : object::add);
        Thread two = new Thread(TwoGuards::addStatic);
        one.start();
        two.start();
        one.join();
        two.join();
        assert total == 2; //~ assertion
    }
}
