/** Threads that write one field several times each and read nothing. */
public class Writes {
    int last;

    public static void main(String[] args) {
        Writes shared = new Writes();
        int times = Integer.parseInt(args[1]);
        for (int number = 0; number < Integer.parseInt(args[0]); number++) {
            int first = number * times;
            new Thread(() -> {
                for (int time = 0; time < times; time++) {
                    shared.last = first + time;
                }
            }).start();
        }
    }
}
