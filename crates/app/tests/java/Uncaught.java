import java.util.ArrayList;
import java.util.List;

public class Uncaught {
    public static void main(String[] args) {
        List<String> names = new ArrayList<>(List.of("Ada", "Alan"));
        new Thread(() -> names.add("Grace"), "adder").start();
        for (String name : names) {
            System.out.println(name);
        }
    }
}
