import java.util.Vector;

/** One thread asks for the size and takes the last element, another one empties the vector. */
public class VectorLast {
    public static void main(String[] arguments) {
        Vector<Integer> vector = new Vector<>();
        vector.add(1);
        new Thread(() -> {
            int size = vector.size();
            vector.elementAt(size - 1);
        }).start();
        new Thread(vector::removeAllElements).start();
    }
}
