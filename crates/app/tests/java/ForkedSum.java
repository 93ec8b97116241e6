import java.util.concurrent.*;

public class ForkedSum extends RecursiveAction {
    static int sum;
    final int from;
    final int to;

    ForkedSum(int from, int to) {
        this.from = from;
        this.to = to;
    }

    @Override
    protected void compute() {
        if (to - from == 1) {
            sum += to;
        } else {
            int middle = (from + to) / 2;
            invokeAll(new ForkedSum(from, middle), new ForkedSum(middle, to));
        }
    }

    public static void main(String[] args) {
        ForkJoinPool.commonPool().invoke(new ForkedSum(0, 2));
        assert sum == 3 : sum;
    }
}
