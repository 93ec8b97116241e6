//@ class files
//@ verdict ok
import java.io.File;
import java.util.concurrent.atomic.AtomicInteger;

/** Creating a file tells who was first. */
public class FileCreatedOnce {
    public static void main(String[] args) throws Exception {
        File folder = File.createTempFile("work", "");
        folder.delete();
        folder.mkdir();
        File lock = new File(folder, "lock");
        AtomicInteger first = new AtomicInteger();
        Runnable worker = () -> {
            try {
                if (lock.createNewFile()) {
                    first.incrementAndGet();
                }
            } catch (java.io.IOException e) {
                throw new AssertionError(e);
            }
        };
        Thread one = new Thread(worker);
        Thread two = new Thread(worker);
        one.start();
        two.start();
        one.join();
        two.join();
        assert first.get() == 1;
        assert folder.list().length == 1;
    }
}
