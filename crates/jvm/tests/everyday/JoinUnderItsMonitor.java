//@ class threads
//@ verdict ok

/** A thread that joins another under its monitor frees that while it waits, and others may have it. */
public class JoinUnderItsMonitor {
    static class Worker extends Thread {
        private int sum;

        private synchronized void add(int number) {
            sum += number;
        }

        private synchronized int stopped() throws InterruptedException {
            join();
            return sum;
        }

        @Override
        public void run() {
            add(1);
            add(2);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Worker worker = new Worker();
        worker.start();
        Thread third = new Thread(() -> worker.add(4));
        third.start();
        int sum = worker.stopped();
        assert sum == 3 || sum == 7;
        third.join();
    }
}
