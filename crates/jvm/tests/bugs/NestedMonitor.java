//@ switches 0
/** Waits inside with the outer monitor held, so that nobody gets in to notify. */
public class NestedMonitor {
    private final Object inner = new Object();
    private boolean open;

    synchronized void enter() throws InterruptedException {
        synchronized (inner) {
            while (!open) {
                inner.wait(); //~ deadlock
            }
        }
    }

    synchronized void open() {
        synchronized (inner) { //~ deadlock
            open = true;
            inner.notifyAll();
        }
    }

    void enterAlone() throws InterruptedException {
        synchronized (inner) {
            while (!open) {
                inner.wait();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        NestedMonitor gate = new NestedMonitor();
        new Thread(gate::open).start();
        if (args.length > 0) {
            gate.enterAlone();
        } else {
            gate.enter();
        }
    }
}
