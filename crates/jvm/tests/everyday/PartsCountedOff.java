//@ class library
//@ verdict ok
import java.util.concurrent.CountedCompleter;

/** The part that is done last adds up what all parts have found. */
public class PartsCountedOff {
    static class Sum extends CountedCompleter<Void> {
        final int from;
        final int to;
        int sum;
        Sum left;
        Sum right;

        Sum(CountedCompleter<?> whole, int from, int to) {
            super(whole);
            this.from = from;
            this.to = to;
        }

        @Override
        public void compute() {
            if (to - from == 1) {
                sum = from;
            } else {
                int middle = (from + to) / 2;
                left = new Sum(this, from, middle);
                right = new Sum(this, middle, to);
                setPendingCount(2);
                left.fork();
                right.fork();
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> last) {
            if (left != null) sum = left.sum + right.sum;
        }
    }

    public static void main(String[] args) {
        Sum all = new Sum(null, 1, 4);
        all.invoke();
        assert all.sum == 6;
    }
}
