//@ class hidden
//@ verdict bug
/** What was printed onto a buffer is seen before the flag that follows it. */
public class FlagAfterPrint {
    static volatile boolean done;
    static final java.io.ByteArrayOutputStream memory = new java.io.ByteArrayOutputStream();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            memory.write(1);
            done = true;
        });
        other.start();
        boolean before = done;
        assert before || memory.size() == 0; //~ assertion
        other.join();
    }
}
