//@ class threads
//@ verdict ok
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/** A sum is split between tasks. */
public class SumByForking {
    static final class Sum extends RecursiveTask<Integer> {
        final int[] data;
        final int from;
        final int to;

        Sum(int[] data, int from, int to) {
            this.data = data;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from == 1) {
                return data[from];
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(data, from, middle);
            Sum right = new Sum(data, middle, to);
            left.fork();
            return right.compute() + left.join();
        }
    }

    public static void main(String[] args) {
        assert new ForkJoinPool(2).invoke(new Sum(new int[] {1, 2, 3}, 0, 3)) == 6;
    }
}
