import counterpoint.Input;

/** Example 3 of the thesis: two threads that branch on inputs. */
class BranchingThreads {
    static int x;

    public static void main(String[] arguments) {
        new Thread(() -> {
            int i = Input.choose(16) + 1;
            if (i == 5) {
                x = 5;
            } else {
                int a = x;
            }
        }).start();
        new Thread(() -> {
            int i = Input.choose(16);
            int b = x;
            if (i > 10) {
                b = 0;
            }
        }).start();
    }
}
