/** Threads count up along an array while one looks for the last zero. */
public class LastZero {
    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        int[] a = new int[count + 1];
        new Thread(() -> {
            int index = count;
            while (a[index] != 0) {
                index--;
            }
        }).start();
        for (int number = 1; number <= count; number++) {
            int own = number;
            new Thread(() -> a[own] = a[own - 1] + 1).start();
        }
    }
}
