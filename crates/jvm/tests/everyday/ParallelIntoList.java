//@ class hidden
//@ verdict bug
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A parallel stream adds to a list that is not made for it. */
public class ParallelIntoList {
    public static void main(String[] args) {
        List<Integer> list = new ArrayList<>(List.of(9));
        IntStream.range(0, 2).parallel().forEach(list::add); //~ exception
        assert list.size() == 3; //~ assertion
    }
}
