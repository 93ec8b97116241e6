/** Three threads need a class that the first of them initialises. */
public class Lazy3 {
    static class Settings {
        static int size = 3;
    }

    static int sum;

    static void add() {
        sum = sum + Settings.size;
    }

    public static void main(String[] args) {
        new Thread(Lazy3::add).start();
        new Thread(Lazy3::add).start();
        add();
    }
}
