//@ class natives
//@ verdict bug
/** An audit clones the array of balances during a transfer. */
public class CloneOfAccounts {
    static final int[] balances = {5, 5};

    public static void main(String[] args) throws InterruptedException {
        Thread transfer = new Thread(() -> {
            balances[0] -= 2;
            balances[1] += 2;
        });
        transfer.start();
        int sum = 0;
        for (int balance : balances.clone()) sum += balance;
        assert sum == 10; //~ assertion
        transfer.join();
    }
}
