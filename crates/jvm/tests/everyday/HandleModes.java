//@ class races
//@ verdict ok
//@ racy
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Release and acquire order, opaque does not. */
public class HandleModes {
    static int ready;
    static int hint;
    static int data;
    static int more;
    static final VarHandle READY;
    static final VarHandle HINT;

    static {
        try {
            READY = MethodHandles.lookup().findStaticVarHandle(HandleModes.class, "ready", int.class);
            HINT = MethodHandles.lookup().findStaticVarHandle(HandleModes.class, "hint", int.class);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            data = 1;
            READY.setRelease(1);
            more = 1; //~ race
            HINT.setOpaque(1);
        });
        other.start();
        if ((int) READY.getAcquire() == 1) {
            assert data == 1;
        }
        if ((int) HINT.getOpaque() == 1) {
            int seen = more; //~ race
            assert seen == 1;
        }
        other.join();
    }
}
