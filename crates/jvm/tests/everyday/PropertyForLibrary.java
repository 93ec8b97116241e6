//@ class initialisers
//@ verdict bug
import java.util.concurrent.ForkJoinPool;

/** A class of the library reads a property when it is initialised. */
public class PropertyForLibrary {
    static int parallelism;

    public static void main(String[] args) throws InterruptedException {
        Thread user = new Thread(() -> parallelism = ForkJoinPool.commonPool().getParallelism());
        user.start();
        System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "7");
        user.join();
        assert parallelism == 7; //~ assertion
    }
}
