import counterpoint.Input;

/** Inputs choose which of two locked variables is written; a reader compares them with inputs. */
class Updater {
    static final Object first = new Object();
    static final Object second = new Object();
    static int one;
    static int two;

    static void update() {
        int which = Input.anyInt();
        int value = Input.anyInt();
        if (which == 1) {
            synchronized (first) {
                one = value;
            }
        } else {
            synchronized (second) {
                two = value;
            }
        }
    }

    static void read() {
        int wanted = Input.anyInt();
        int seen;
        synchronized (first) {
            seen = one;
        }
        synchronized (second) {
            if (seen == wanted && two > seen) {
                two = seen;
            }
        }
    }

    public static void main(String[] arguments) {
        int updaters = Integer.parseInt(arguments[0]);
        for (int number = 0; number < updaters; number++) {
            new Thread(Updater::update).start();
        }
        new Thread(Updater::read).start();
    }
}
