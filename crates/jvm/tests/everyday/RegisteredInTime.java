//@ class threads
//@ verdict ok
/** The same through a factory. */
public class RegisteredInTime {
    static volatile RegisteredInTime registered;
    final int value;
    RegisteredInTime() { value = 42; }

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(() -> registered = new RegisteredInTime());
        maker.start();
        RegisteredInTime seen = registered;
        assert seen == null || seen.value == 42;
        maker.join();
    }
}
