public class Sections {
    static final Object LOCK = new Object();

    static void enter(int times) {
        for (int time = 0; time < times; time++) {
            synchronized (LOCK) {
            }
        }
    }

    public static void main(String[] args) {
        for (String times : args) {
            new Thread(() -> enter(Integer.parseInt(times))).start();
        }
    }
}
