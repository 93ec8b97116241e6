//@ class races
//@ verdict bug
//@ racy
import java.util.concurrent.CountedCompleter;

/** A whole that waits for one part fewer than it has: it may be done before that part is. */
public class PartForgotten {
    static final int[] found = new int[2];

    static class Part extends CountedCompleter<Void> {
        final int number;

        Part(CountedCompleter<?> whole, int number) {
            super(whole);
            this.number = number;
        }

        @Override
        public void compute() {
            if (number < 0) {
                setPendingCount(1);
                new Part(this, 0).fork();
                new Part(this, 1).fork();
            } else {
                found[number] = 1; //~ race
            }
            propagateCompletion();
        }
    }

    public static void main(String[] args) {
        new Part(null, -1).invoke();
        int sum = found[0] + found[1]; //~ race
        assert sum == 2; //~ assertion
    }
}
