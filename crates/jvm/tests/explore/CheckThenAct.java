/** Two threads take the last item of a stock after looking whether there is one. */
public class CheckThenAct {
    private int stock = 1;

    private synchronized int look() {
        return stock;
    }

    private synchronized void take() {
        if (stock == 0) {
            throw new IllegalStateException("nothing left");
        }
        stock--;
    }

    private synchronized void takeIfAny() {
        if (stock > 0) {
            stock--;
        }
    }

    public static void main(String[] args) {
        CheckThenAct shop = new CheckThenAct();
        boolean careful = args.length > 0;
        Runnable customer = () -> {
            if (careful) {
                shop.takeIfAny();
            } else if (shop.look() > 0) {
                shop.take();
            }
        };
        new Thread(customer).start();
        new Thread(customer).start();
    }
}
