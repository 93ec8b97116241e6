public class Race {
    static int[] buffer = new int[4];

    public static void main(String[] args) {
        new Thread(() -> buffer[3] = 7, "writer").start();
        System.out.println(buffer[3]);
    }
}
