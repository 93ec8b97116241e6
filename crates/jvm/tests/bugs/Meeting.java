//@ switches 4
import java.util.Arrays;

/** Two copies of a sequential planner share one calendar: the row Meeting of table 1. */
public class Meeting {
    private final int[] calendar = new int[2];

    int plan(int who) {
        for (int hour = 0; hour < calendar.length; hour++) {
            if (calendar[hour] == 0) {
                calendar[hour] = who;
                return hour;
            }
        }
        return -1;
    }

    public static void main(String[] args) throws InterruptedException {
        Meeting shared = new Meeting();
        boolean fixed = args.length > 0;
        int[] hours = new int[2];
        Thread[] people = new Thread[2];
        for (int number = 0; number < 2; number++) {
            int who = number;
            people[who] = new Thread(() -> {
                if (fixed) {
                    synchronized (shared) {
                        hours[who] = shared.plan(who + 1);
                    }
                } else {
                    hours[who] = shared.plan(who + 1);
                }
            });
            people[who].start();
        }
        for (Thread person : people) {
            person.join();
        }
        assert hours[0] != hours[1] : "both at " + Arrays.toString(hours); //~ assertion
    }
}
