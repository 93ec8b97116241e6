//@ class cuts
//@ verdict bug
//@ unsupported
/** One thread starts a process, two others deadlock. */
public class StartsProcess {
    static final Object left = new Object(), right = new Object();

    public static void main(String[] args) throws Exception {
        Thread one = new Thread(() -> {
            synchronized (left) {
                synchronized (right) {} //~ deadlock
            }
        });
        Thread two = new Thread(() -> {
            synchronized (right) {
                synchronized (left) {} //~ deadlock
            }
        });
        one.start();
        two.start();
        one.join(); //~ deadlock
        two.join();
        Runtime.getRuntime().exec("true");
    }
}
