//@ class loops
//@ verdict bug
/** Only who goes round three times finds the mistake. */
public class ThirdRoundFails {
    static volatile boolean stop;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> stop = true);
        other.start();
        int rounds = 0;
        while (!stop) {
            rounds++;
            if (rounds == 3) break;
        }
        assert rounds < 3; //~ assertion
        other.join();
    }
}
