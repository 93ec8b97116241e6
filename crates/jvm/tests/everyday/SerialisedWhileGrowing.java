//@ class hidden
//@ verdict bug
import java.util.ArrayList;
import java.util.List;

/** A list is serialised while it grows. */
public class SerialisedWhileGrowing {
    static final ArrayList<Integer> numbers = new ArrayList<>(List.of(1, 2));

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> numbers.add(3));
        other.start();
        java.io.ObjectOutputStream out = new java.io.ObjectOutputStream(new java.io.ByteArrayOutputStream());
        out.writeObject(numbers); //~ exception
        other.join();
    }
}
