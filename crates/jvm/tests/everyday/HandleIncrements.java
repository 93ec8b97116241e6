//@ class hidden
//@ verdict bug
/** A method is called through a method handle. */
public class HandleIncrements {
    static int count;

    static void increment() { count++; }

    public static void main(String[] args) throws Throwable {
        java.lang.invoke.MethodHandle handle = java.lang.invoke.MethodHandles.lookup()
            .findStatic(HandleIncrements.class, "increment", java.lang.invoke.MethodType.methodType(void.class));
        Thread other = new Thread(HandleIncrements::increment);
        other.start();
        handle.invokeExact();
        other.join();
        assert count == 2; //~ assertion
    }
}
