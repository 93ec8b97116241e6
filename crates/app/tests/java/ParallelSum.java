import java.util.*;
import java.util.stream.*;

public class ParallelSum {
    static int total;
    public static void main(String[] args) {
        IntStream.range(0, 2).parallel().forEach(i -> total += i + 1);
        if (total != 3) throw new AssertionError("total is " + total);
    }
}
