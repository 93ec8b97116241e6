import counterpoint.Input;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

/** Unknowns on their way through the machine: each case reaches its last line for one value only. */
class Flows {
    static int number;
    static long wide;
    short small;
    record Point(int x, int y) {}

    static int twice(int x) {
        return x + x;
    }

    static void reached(boolean reached) {
        System.out.println(reached ? "reached" : "missed");
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "static" -> {
                number = Input.anyInt();
                number++;
                reached(number == 43);
            }
            case "field" -> {
                Flows object = new Flows();
                object.small = Input.anyShort();
                object.small += 7;
                reached(object.small == -32768);
            }
            case "bytes" -> {
                byte[] bytes = new byte[3];
                bytes[1] = Input.anyByte();
                byte[] copy = bytes.clone();
                bytes[1] = 5;
                byte[] moved = new byte[4];
                System.arraycopy(copy, 0, moved, 1, 3);
                reached(moved[2] == -100 && moved[1] == 0 && bytes[1] == 5);
            }
            case "narrow" -> {
                int x = Input.anyInt();
                byte[] bytes = {(byte) x};
                char[] chars = {(char) x};
                short[] shorts = {(short) x};
                reached(bytes[0] == -1 && chars[0] == 0x12FF && shorts[0] == 0x12FF && x == 0x7FFF12FF);
            }
            case "truths" -> {
                boolean[] truths = new boolean[2];
                truths[0] = Input.anyInt() > 5;
                truths[1] = Input.anyBoolean();
                reached(truths[0] && !truths[1]);
            }
            case "longs" -> {
                long[] longs = {0, Input.anyLong()};
                wide = longs[1] << 3;
                reached((wide >>> 1) == 0x7FFFFFFFFFFFFFFCL && longs[1] > 0);
            }
            case "lambda" -> {
                int captured = Input.anyInt();
                IntUnaryOperator plus = x -> x + captured;
                reached(plus.andThen(Flows::twice).applyAsInt(3) == 100);
            }
            case "boxes" -> {
                List<Integer> list = new ArrayList<>();
                list.add(Input.anyInt());
                Long other = Input.anyLong();
                reached(list.get(0) == 123456 && other.equals(77L));
            }
            case "identity" -> {
                Integer one = Input.anyInt();
                Integer other = Input.anyInt();
                Integer kept = 100;
                Character letter = Input.anyChar();
                Character same = 'q';
                // Boxes of large numbers are never one object, and those of small ones always.
                boolean never = one == other && one > 127 || one.equals(other) && one == -128 && one != other;
                reached(!never && one == kept && one == other && letter == same && letter.equals('q'));
                if (never) {
                    throw new IllegalStateException();
                }
            }
            case "record" -> {
                Point point = new Point(Input.anyInt(), 2);
                reached(point.equals(new Point(9, 2)));
            }
            case "atomics" -> {
                AtomicInteger atomic = new AtomicInteger(Input.anyInt());
                atomic.incrementAndGet();
                atomic.addAndGet(10);
                boolean set = atomic.compareAndSet(30, 31);
                AtomicLong other = new AtomicLong(5);
                other.getAndAdd(Input.anyLong());
                reached(set && atomic.get() == 31 && other.get() == 4);
            }
            case "flags" -> {
                AtomicBoolean flag = new AtomicBoolean(Input.anyBoolean());
                boolean first = flag.compareAndSet(false, true);
                AtomicIntegerArray array = new AtomicIntegerArray(3);
                array.set(1, Input.anyInt());
                reached(first && flag.get() && array.getAndAdd(1, 5) == 8 && array.get(1) == 13);
            }
            case "library" -> {
                int x = Input.anyInt();
                reached(Math.abs(x) == 17 && Math.max(x, 0) == 0 && Integer.compare(x, -17) == 0
                        && Integer.signum(x) == -1);
            }
            case "map" -> {
                Map<Integer, String> map = new HashMap<>();
                map.put(1, "one");
                map.put(20, "twenty");
                reached("twenty".equals(map.get(Input.choose(30))));
            }
            case "characters" -> {
                char c = Input.anyChar();
                reached(c >= 'a' && c <= 'z' && Character.toUpperCase(c) == 'Q');
            }
            case "object" -> {
                Object value = Input.anyInt();
                reached(value instanceof Integer number && number == 7
                        && Objects.equals(value, 7));
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
