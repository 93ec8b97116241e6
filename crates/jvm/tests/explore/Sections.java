/** Threads with critical sections on one lock: how many sections each, is in the arguments. */
public class Sections {
    static final Object lock = new Object();

    static class Worker extends Thread {
        final int sections;

        Worker(int sections) {
            this.sections = sections;
        }

        @Override
        public void run() {
            for (int section = 0; section < sections; section++) {
                synchronized (lock) {
                }
            }
        }
    }

    public static void main(String[] args) {
        for (String sections : args) {
            new Worker(Integer.parseInt(sections)).start();
        }
    }
}
