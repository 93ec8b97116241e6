//@ switches 2
import java.util.List;
import java.util.Vector;

/** A row Vector of table 1: the comparison locks one side only. */
public class VectorEquals {
    public static void main(String[] args) {
        Vector<Integer> one = new Vector<>(List.of(1, 2));
        Vector<Integer> two = new Vector<>(List.of(1, 2));
        boolean fixed = args.length > 0;
        new Thread(two::clear).start();
        if (fixed) {
            one.equals(new Vector<>(two));
        } else {
            one.equals(two); //~ exception
        }
    }
}
