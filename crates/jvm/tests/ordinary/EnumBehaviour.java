import java.util.*;
import java.util.stream.*;
public class EnumBehaviour {
    enum Op {
        ADD("+") {
            int apply(int a, int b) {
                return a + b;
            }
        }, MUL("*") {
            int apply(int a, int b) {
                return a * b;
            }
        };
        final String sym;
        Op(String s) {
            sym = s;
        }
        abstract int apply(int a, int b);
        private static final Map<String,Op> BY = Arrays.stream(values()).collect(Collectors.toMap(o -> o.sym, o -> o));
        static Op of(String s) {
            return Optional.ofNullable(BY.get(s)).orElseThrow(() -> new IllegalArgumentException("no op " + s));
        }
    }
    enum Planet {
        MERCURY(3.303e+23, 2.4397e6), EARTH(5.976e+24, 6.37814e6);
        final double mass, radius;
        Planet(double m, double r) {
            mass = m;
            radius = r;
        }
        double g() {
            return 6.67300E-11 * mass / (radius * radius);
        }
    }
    enum Level {
        LOW, MID, HIGH;
        Level next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }
    public static void main(String[] a) {
        System.out.println(Op.of("+").apply(2,3) + " " + Op.of("*").apply(2,3) + Op.ADD.getClass().getSuperclass().getSimpleName() + Op.valueOf("MUL").sym);
        try {
            Op.of("/");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        for (Planet p : Planet.values()) System.out.printf("%s %.2f %e%n", p, p.g(), p.mass);
        System.out.println(Level.HIGH.next() + " " + Arrays.stream(Level.values()).map(Level::next).map(Enum::name).collect(Collectors.joining(",")));
        Map<Level,Long> m = Stream.of(Level.LOW,Level.HIGH,Level.LOW).collect(Collectors.groupingBy(x -> x, () -> new EnumMap<>(Level.class), Collectors.counting()));
        System.out.println(m);
        switch (Level.MID) {
            case LOW: System.out.println("low");
            break;
            case MID: System.out.println("mid");
            default: System.out.println("fall");
        }
    }
}
