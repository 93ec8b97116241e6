//@ class initialisers
//@ verdict bug
/** A class keeps at its initialisation what another thread is about to change. */
public class ConfigurationTooLate {
    static int limit = 1;
    static final class Settings {
        static final int LIMIT = limit;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread user = new Thread(() -> {
            assert Settings.LIMIT == 5; //~ assertion
        });
        user.start();
        limit = 5;
        user.join();
    }
}
