//@ class initialisers
//@ verdict ok
/** The constants of an enumeration are made once, whoever comes first. */
public class EnumInitialisedByBoth {
    static int made;

    enum Level {
        LOW, HIGH;

        Level() {
            made++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            assert Level.HIGH.ordinal() == 1;
        });
        other.start();
        assert Level.valueOf("LOW").ordinal() == 0;
        other.join();
        assert made == 2;
    }
}
