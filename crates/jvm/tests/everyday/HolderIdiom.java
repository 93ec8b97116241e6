//@ class initialisers
//@ verdict ok
/** An instance made by the initialiser of a holder class. */
public class HolderIdiom {
    static int made;
    static final class Holder {
        static final HolderIdiom INSTANCE = new HolderIdiom();
    }
    final int number = ++made;
    static HolderIdiom other;

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(() -> other = Holder.INSTANCE);
        thread.start();
        HolderIdiom own = Holder.INSTANCE;
        thread.join();
        assert own == other && made == 1 && own.number == 1;
    }
}
