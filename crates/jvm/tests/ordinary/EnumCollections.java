import java.util.*;
public class EnumCollections {
    enum C {
        RED, GREEN {
            String hex() {
                return "g";
            }
        }, BLUE;
        String hex() {
            return "?";
        }
    }
    public static void main(String[] a) {
        EnumMap<C,Integer> m = new EnumMap<>(C.class);
        m.put(C.BLUE,1);
        m.put(C.RED,2);
        System.out.println(m + " " + EnumSet.range(C.RED,C.GREEN) + EnumSet.complementOf(EnumSet.of(C.RED)) + EnumSet.allOf(C.class) + EnumSet.noneOf(C.class));
        for (C c : C.values()) System.out.println(c + c.hex() + c.ordinal() + c.getClass() + c.getDeclaringClass() + c.compareTo(C.GREEN) + c.name());
        try {
            C.valueOf("PINK");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        switch (C.valueOf("RED")) {
            case RED -> System.out.println("r");
            default -> System.out.println("d");
        }
        System.out.println(Enum.valueOf(C.class,"BLUE") == C.BLUE);
        System.out.println(C.RED.describeConstable().isPresent());
    }
}
