//@ switches 2
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A list grows while somebody goes through it. */
public class ArrayListIterate {
    public static void main(String[] args) {
        List<Integer> numbers = args.length > 0
            ? new CopyOnWriteArrayList<>(List.of(1, 2)) : new ArrayList<>(List.of(1, 2));
        new Thread(() -> numbers.add(3)).start();
        int sum = 0;
        for (int number : numbers) { //~ exception
            sum += number;
        }
    }
}
