//@ class threads
//@ verdict bug
/** A short thread may have ended when the one that started it looks. */
public class AliveAfterStart {
    public static void main(String[] args) {
        Thread worker = new Thread(() -> {});
        worker.start();
        if (!worker.isAlive()) throw new IllegalStateException("gone"); //~ exception
    }
}
