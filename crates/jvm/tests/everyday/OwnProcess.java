//@ class natives
//@ verdict ok

/** What a program asks about its own process. */
public class OwnProcess {
    static void same(Object is, Object should) {
        if (!is.equals(should)) {
            throw new AssertionError(is + " is not " + should);
        }
    }

    public static void main(String[] args) throws Exception {
        ProcessHandle self = ProcessHandle.current();
        same(self.pid() > 0, true);
        same(self.isAlive(), true);
        same(self, ProcessHandle.current());
        same(System.getenv("SURELY_NOT_SET") == null, true);
        same(System.getenv().containsKey("SURELY_NOT_SET"), false);
        same(Thread.currentThread().getStackTrace()[1].getMethodName(), "main");
        same(Thread.getAllStackTraces().containsKey(Thread.currentThread()), true);
    }
}
