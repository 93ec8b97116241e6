//@ class threads
//@ verdict bug
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How many threads there are is asked for while one of them may end. */
public class BeanCountsThreads {
    public static void main(String[] args) throws InterruptedException {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        int before = bean.getThreadCount();
        Thread worker = new Thread(() -> {});
        worker.start();
        int during = bean.getThreadCount();
        assert during == before + 1; //~ assertion
        worker.join();
        assert bean.getThreadCount() == before;
    }
}
