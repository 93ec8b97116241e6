public class Covered {
    static volatile boolean ready;

    static int never() {
        return 1;
    }

    public static void main(String[] args) {
        new Thread(() -> ready = true).start();
        if (ready) {
            System.out.println("ready");
        }
        if (args.length > 0) {
            never();
        }
    }
}
