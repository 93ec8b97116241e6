import counterpoint.Input;

/**
 * Two numbers, each behind a monitor of its own. Two threads store or add inputs, one and the main
 * thread look at both; with the argument {@code crossed} they take the monitors in opposite orders.
 */
public class UpdaterMonitors {
    static final Object left = new Object();
    static final Object right = new Object();
    static int x;
    static int y;

    static void store() {
        if (Input.anyInt() == 1) {
            synchronized (left) {
                x = Input.anyInt();
            }
        } else {
            synchronized (right) {
                y = Input.anyInt();
            }
        }
    }

    static void add() {
        if (Input.anyInt() == 1) {
            synchronized (left) {
                x += Input.anyInt();
            }
        } else {
            synchronized (right) {
                y += Input.anyInt();
            }
        }
    }

    static void look(Object outer, Object inner, boolean multiply) {
        int wanted = Input.anyInt();
        synchronized (outer) {
            synchronized (inner) {
                if (x == wanted) {
                    y = multiply ? y * x : y + x;
                    x = 0;
                }
                if (y == wanted) {
                    y = 0;
                }
            }
        }
    }

    public static void main(String[] args) {
        boolean crossed = args.length > 0;
        new Thread(() -> {
            store();
            store();
        }).start();
        new Thread(UpdaterMonitors::add).start();
        new Thread(() -> look(left, right, true)).start();
        for (int round = 0; round < 2; round++) {
            look(crossed ? right : left, crossed ? left : right, false);
        }
    }
}
