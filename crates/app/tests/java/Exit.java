public class Exit {
    static volatile boolean ready;

    public static void main(String[] args) {
        new Thread(() -> ready = true).start();
        if (!ready) {
            System.exit(3);
        }
    }
}
