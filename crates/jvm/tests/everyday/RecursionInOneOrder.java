//@ class cuts
//@ verdict bug
/** In one order the recursion has no end, and Java ends it. */
public class RecursionInOneOrder {
    static volatile boolean flag;

    static int down(int depth) { return down(depth + 1) + 1; }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> flag = true);
        other.start();
        if (flag) {
            try {
                down(0);
            } catch (StackOverflowError e) {
                assert !flag; //~ assertion
            }
        }
        other.join();
    }
}
