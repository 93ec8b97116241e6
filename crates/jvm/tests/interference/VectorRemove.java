import java.util.Vector;

/** One thread removes the last element of a vector, and another one empties it in between. */
public class VectorRemove {
    public static void main(String[] arguments) {
        Vector<Integer> vector = new Vector<>();
        vector.add(1);
        new Thread(() -> vector.removeElementAt(vector.size() - 1)).start();
        new Thread(vector::removeAllElements).start();
    }
}
