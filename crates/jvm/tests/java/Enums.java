import java.util.*;

/** Enumerations with fields, bodies, sets, maps and valueOf. */
public class Enums {
    enum Operation {
        PLUS("+") { int apply(int a, int b) { return a + b; } },
        MINUS("-") { int apply(int a, int b) { return a - b; } },
        TIMES("*") { int apply(int a, int b) { return a * b; } };

        final String symbol;
        Operation(String symbol) { this.symbol = symbol; }
        abstract int apply(int a, int b);
        @Override public String toString() { return "op" + symbol; }
    }

    enum Planet {
        MERCURY(3.303e+23, 2.4397e6), EARTH(5.976e+24, 6.37814e6);
        private final double mass, radius;
        Planet(double mass, double radius) { this.mass = mass; this.radius = radius; }
        double gravity() { return 6.67300E-11 * mass / (radius * radius); }
    }

    enum Day { MON, TUE, WED, THU, FRI, SAT, SUN; Day next() { return values()[(ordinal() + 1) % values().length]; } }

    interface Named { default String nice() { return "nice " + this; } }
    enum Single implements Named { INSTANCE; int counter; }

    public static void main(String[] args) {
        for (Operation o : Operation.values()) System.out.println(o + " " + o.name() + " " + o.apply(6, 3) + " " + o.getDeclaringClass().getSimpleName());
        for (Planet p : Planet.values()) System.out.println(p + " " + p.gravity());
        System.out.println(Day.SUN.next() + " " + Day.valueOf("WED") + " " + Day.MON.compareTo(Day.FRI));
        try {
            Day.valueOf("XYZ");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        EnumSet<Day> weekend = EnumSet.of(Day.SAT, Day.SUN);
        System.out.println(weekend + " " + EnumSet.complementOf(weekend) + " " + EnumSet.range(Day.TUE, Day.THU));
        EnumMap<Day, Integer> map = new EnumMap<>(Day.class);
        map.put(Day.FRI, 5);
        map.put(Day.MON, 1);
        System.out.println(map + " " + map.containsKey(Day.TUE));
        Single.INSTANCE.counter += 7;
        System.out.println(Single.INSTANCE.nice() + Single.INSTANCE.counter + " " + Single.valueOf("INSTANCE").hashCode() / Single.INSTANCE.hashCode());
        System.out.println(Operation.PLUS.getClass() == Operation.class ? "same" : "body");
        System.out.println(Enum.valueOf(Planet.class, "EARTH") + " " + Arrays.toString(Day.class.getEnumConstants()));
    }
}
