//@ class cuts
//@ verdict incomplete([unsupported])
//@ unsupported
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A view of a buffer as numbers is refused, and not taken for another variable handle. */
public class ViewOfBuffer {
    static final VarHandle view =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    public static void main(String[] args) {
        ByteBuffer buffer = ByteBuffer.allocate(8);
        view.set(buffer, 0, 5L);
        assert (long) view.get(buffer, 0) == 5;
    }
}
