/** Switches of all shapes, some of whose ways nobody goes. */
public class Switched {
    static String table(int key) {
        switch (key) {
            case 1:
            case 2:
                return "few";
            case 3:
                return "three";
            default:
                return "other";
        }
    }

    static int lookup(int key) {
        return switch (key) {
            case -1000 -> 1;
            case 1000 -> 2;
            default -> 3;
        };
    }

    public static void main(String[] arguments) {
        table(1);
        table(2);
        table(9);
        lookup(1000);
    }
}
