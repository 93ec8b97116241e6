//@ class races
//@ verdict bug
//@ racy
/** A lazy value without the second look inside the lock is made twice. */
public class CheckedTwiceWithoutSecondLook {
    static Object instance;
    static int made;

    static Object get() {
        if (instance == null) { //~ race
            synchronized (CheckedTwiceWithoutSecondLook.class) {
                made++;
                instance = new Object(); //~ race
            }
        }
        return instance; //~ race
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> get());
        other.start();
        get();
        other.join();
        assert made == 1; //~ assertion
    }
}
