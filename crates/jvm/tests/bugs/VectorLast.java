//@ switches 2
import java.util.Vector;

/** A row Vector of table 1: the size is asked for, and used when it is another one. */
public class VectorLast {
    static final Vector<String> names = new Vector<>();

    static void removeLast(boolean fixed) {
        if (fixed) {
            synchronized (names) {
                if (!names.isEmpty()) {
                    names.remove(names.size() - 1);
                }
            }
        } else if (!names.isEmpty()) {
            names.remove(names.size() - 1); //~ exception
        }
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 0;
        names.add("only");
        new Thread(() -> removeLast(fixed)).start();
        removeLast(fixed);
    }
}
