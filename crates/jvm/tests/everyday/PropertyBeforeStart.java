//@ class initialisers
//@ verdict ok
import java.util.concurrent.ForkJoinPool;

/** The same in the right order. */
public class PropertyBeforeStart {
    static int parallelism;

    public static void main(String[] args) throws InterruptedException {
        System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "7");
        Thread user = new Thread(() -> parallelism = ForkJoinPool.commonPool().getParallelism());
        user.start();
        user.join();
        assert parallelism == 7;
    }
}
