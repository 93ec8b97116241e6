import java.util.Vector;

/** One thread inserts at the end of a vector, and another one empties it in between. */
public class VectorInsert {
    public static void main(String[] arguments) {
        Vector<Integer> vector = new Vector<>();
        vector.add(1);
        new Thread(() -> vector.insertElementAt(2, vector.size())).start();
        new Thread(vector::removeAllElements).start();
    }
}
