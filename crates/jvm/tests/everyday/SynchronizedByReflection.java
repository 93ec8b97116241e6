//@ class natives
//@ verdict ok
/** A synchronized method is called by reflection, as frameworks do. */
public class SynchronizedByReflection {
    private int count;
    public synchronized void increment() { count++; }

    public static void main(String[] args) throws Exception {
        SynchronizedByReflection object = new SynchronizedByReflection();
        java.lang.reflect.Method method = SynchronizedByReflection.class.getMethod("increment");
        Thread other = new Thread(object::increment);
        other.start();
        method.invoke(object);
        other.join();
        assert object.count == 2;
    }
}
