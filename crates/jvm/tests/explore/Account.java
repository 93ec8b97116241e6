/** The same with synchronized methods of an object that the threads share. */
public class Account {
    private int balance;

    synchronized void deposit(int amount) {
    }

    public static void main(String[] args) {
        Account account = new Account();
        for (String sections : args) {
            int count = Integer.parseInt(sections);
            Thread thread = new Thread() {
                @Override
                public void run() {
                    for (int section = 0; section < count; section++) {
                        account.deposit(section);
                    }
                }
            };
            thread.start();
        }
    }
}
