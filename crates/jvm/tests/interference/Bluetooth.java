/** The simplified model of the Bluetooth driver: Figure 1 of Razavi, Farzan and Holzer (2012). */
public class Bluetooth {
    static int pendingIO = 1;
    static boolean stoppingFlag;
    static boolean stoppingEvent;
    static boolean stopped;
    static final Object lock = new Object();

    static void add() {
        int status;
        if (stoppingFlag) {
            status = -1;
        } else {
            synchronized (lock) {
                pendingIO++;
            }
            status = 0;
        }
        if (status == 0) {
            if (stopped) {
                throw new AssertionError("the driver was stopped");
            }
        }
        int pIO;
        synchronized (lock) {
            pendingIO--;
            pIO = pendingIO;
        }
        if (pIO == 0) {
            stoppingEvent = true;
        }
    }

    static void stop() {
        stoppingFlag = true;
        int pIO;
        synchronized (lock) {
            pendingIO--;
            pIO = pendingIO;
        }
        if (pIO == 0) {
            stoppingEvent = true;
        }
        if (stoppingEvent) {
            stopped = true;
        }
    }

    public static void main(String[] arguments) {
        new Thread(Bluetooth::add).start();
        new Thread(Bluetooth::stop).start();
    }
}
