//@ class hidden
//@ verdict bug
import java.util.concurrent.CopyOnWriteArrayList;

/** Asking whether a listener is there and adding it are two operations. */
public class ListenerAddedTwice {
    public static void main(String[] args) throws InterruptedException {
        CopyOnWriteArrayList<String> list = new CopyOnWriteArrayList<>();
        Runnable register = () -> {
            if (!list.contains("me")) {
                list.add("me");
            }
        };
        Thread other = new Thread(register);
        other.start();
        register.run();
        other.join();
        assert list.size() == 1; //~ assertion
    }
}
