//@ class initialisers
//@ verdict ok
/** A class that is found by its name is initialised when it is used. */
public class FoundByName {
    static final class Values {
        static int value;

        static {
            value = 1;
            value = 2;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            assert Values.value == 2;
        });
        other.start();
        Class<?> values = Class.forName("FoundByName$Values");
        assert values.getDeclaredField("value").getInt(null) == 2;
        other.join();
    }
}
