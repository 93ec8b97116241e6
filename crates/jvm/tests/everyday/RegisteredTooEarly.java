//@ class threads
//@ verdict bug
/** An object registers itself before its final field is set. */
public class RegisteredTooEarly {
    static volatile RegisteredTooEarly registered;
    final int value;
    RegisteredTooEarly() {
        registered = this;
        value = 42;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(RegisteredTooEarly::new);
        maker.start();
        RegisteredTooEarly seen = registered;
        assert seen == null || seen.value == 42; //~ assertion
        maker.join();
    }
}
