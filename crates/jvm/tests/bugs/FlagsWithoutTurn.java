//@ switches 2
/** Each says that it wants to enter and waits for the other; Peterson's turn decides who may. */
public class FlagsWithoutTurn {
    static volatile boolean firstWants;
    static volatile boolean secondWants;
    static volatile int turn;

    public static void main(String[] args) {
        boolean fixed = args.length > 0;
        new Thread(() -> {
            firstWants = true;
            if (fixed) {
                turn = 2;
            }
            while (secondWants && !(fixed && turn == 1)) { //~ deadlock
            }
            firstWants = false;
        }).start();
        secondWants = true;
        if (fixed) {
            turn = 1;
        }
        while (firstWants && !(fixed && turn == 2)) { //~ deadlock
        }
        secondWants = false;
    }
}
