import java.util.concurrent.atomic.AtomicIntegerArray;

/** Threads count up along an atomic array while one looks for the last zero. */
public class LastZeroAtomic {
    private static AtomicIntegerArray array;

    static class Counter extends Thread {
        private final int index;

        Counter(int index) {
            this.index = index;
        }

        @Override
        public void run() {
            array.set(index, array.get(index - 1) + 1);
        }
    }

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        array = new AtomicIntegerArray(count + 1);
        new Thread(LastZeroAtomic::search).start();
        for (int number = 1; number <= count; number++) {
            new Counter(number).start();
        }
    }

    private static void search() {
        int index = array.length() - 1;
        while (array.get(index) != 0) {
            index--;
        }
    }
}
