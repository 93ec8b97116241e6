//@ class threads
//@ verdict bug
import java.util.concurrent.Exchanger;

/** Of three threads at an exchanger, one stays alone. */
public class ExchangerOfThree {
    public static void main(String[] args) throws InterruptedException {
        Exchanger<Integer> exchanger = new Exchanger<>();
        for (int i = 0; i < 2; i++) {
            int number = i;
            new Thread(() -> {
                try {
                    exchanger.exchange(number); //~ deadlock
                } catch (InterruptedException e) {
                    throw new Error(e);
                }
            }).start();
        }
        exchanger.exchange(2); //~ deadlock
    }
}
