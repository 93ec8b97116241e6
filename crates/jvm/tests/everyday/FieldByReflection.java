//@ class natives
//@ verdict bug
/** A counter is incremented by reflection. */
public class FieldByReflection {
    int count;

    public static void main(String[] args) throws Exception {
        FieldByReflection object = new FieldByReflection();
        java.lang.reflect.Field field = FieldByReflection.class.getDeclaredField("count");
        Thread other = new Thread(() -> object.count++);
        other.start();
        field.setInt(object, field.getInt(object) + 1);
        other.join();
        assert object.count == 2; //~ assertion
    }
}
