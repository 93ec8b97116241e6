/** Two threads add two numbers to each other while the main thread looks on. */
public class Fib {
    static int i = 1;
    static int j = 1;

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        new Thread(() -> {
            for (int round = 0; round < rounds; round++) {
                i = i + j;
            }
        }).start();
        new Thread(() -> {
            for (int round = 0; round < rounds; round++) {
                j = j + i;
            }
        }).start();
        int seen = i;
        seen += j;
    }
}
