//@ class natives
//@ verdict ok
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;

/** Variable handles convert what they are given and what they give back. */
public class HandleConverts {
    static class Base {
        volatile int number;
        volatile long large;
        volatile Object any = "text";
    }

    static final VarHandle NUMBER;
    static final VarHandle LARGE;
    static final VarHandle ANY;
    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            NUMBER = lookup.findVarHandle(Base.class, "number", int.class);
            LARGE = lookup.findVarHandle(Base.class, "large", long.class);
            ANY = lookup.findVarHandle(Base.class, "any", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Base base = new Base();
        Thread other = new Thread(() -> NUMBER.getAndAdd(base, Integer.valueOf(1)));
        other.start();
        Integer wrapped = 40;
        NUMBER.getAndAdd(base, wrapped);
        other.join();
        Object boxed = NUMBER.getVolatile(base);
        assert boxed.equals(41) : boxed;
        long wide = (long) NUMBER.get(base);
        assert wide == 41;
        LARGE.set(base, 7);
        LARGE.set(base, (Object) (long) LARGE.get(base));
        assert ("" + LARGE.get(base)).equals("7");
        assert NUMBER.compareAndSet((Object) base, wrapped + 1, (short) 5) && base.number == 5;
        assert NUMBER.compareAndExchange(base, wrapped, wrapped).equals(5);
        int[] numbers = {1, 2};
        Object second = ELEMENT.get((Object) numbers, Integer.valueOf(1));
        assert second.equals(2);
        try {
            Integer wrong = (Integer) ANY.get(base);
            throw new AssertionError(wrong);
        } catch (ClassCastException e) {
            assert base.any.equals("text");
        }
        try {
            NUMBER.set((Object) "no base", 1);
            throw new AssertionError();
        } catch (ClassCastException e) {
            assert base.number == 5;
        }
        try {
            NUMBER.set(base, 1L);
            throw new AssertionError();
        } catch (WrongMethodTypeException e) {
            assert base.number == 5;
        }
        try {
            NUMBER.set(base, "text");
            throw new AssertionError();
        } catch (WrongMethodTypeException e) {
            assert base.number == 5;
        }
        try {
            String wrong = (String) NUMBER.get(base);
            throw new AssertionError(wrong);
        } catch (WrongMethodTypeException e) {
            assert base.number == 5;
        }
        Comparable<?> compared = 5;
        assert NUMBER.compareAndSet(base, compared, (Number) 5);
        try {
            NUMBER.set(base, (Integer) null);
            throw new AssertionError();
        } catch (NullPointerException e) {
            assert base.number == 5;
        }
    }
}
