public class Asking {
    static volatile int written;

    public static void main(String[] arguments) throws Exception {
        Thread other = new Thread(() -> {
            written = 1;
            written = 2;
        });
        other.start();
        if (written == 0) {
            System.out.println(System.nanoTime() > 0);
        }
        other.join();
    }
}
