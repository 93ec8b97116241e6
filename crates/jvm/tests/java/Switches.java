/** All forms of switch. */
public class Switches {
    enum Color { RED, GREEN, BLUE }

    static String dense(int n) {
        switch (n) {
            case 0: return "zero";
            case 1:
            case 2: return "one or two";
            case 3: n = 30;
            case 4: return "four " + n;
            default: return "other";
        }
    }

    static int sparse(int n) {
        switch (n) {
            case Integer.MIN_VALUE: return 1;
            case -1000: return 2;
            case 77: return 3;
            case 1_000_000: return 4;
            case Integer.MAX_VALUE: return 5;
        }
        return 0;
    }

    static int text(String s) {
        return switch (s) {
            case "Aa", "x" -> 1;
            case "BB" -> 2;
            case "" -> 3;
            default -> { int n = s.length(); yield n * 10; }
        };
    }

    static String color(Color c) {
        return switch (c) {
            case RED -> "r";
            case GREEN -> "g";
            case BLUE -> "b";
        };
    }

    static int chars(char c) {
        switch (c) {
            case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
            case 'y': return 2;
            default: return 0;
        }
    }

    public static void main(String[] args) {
        for (int i = -1; i < 6; i++) System.out.print(dense(i) + ";");
        System.out.println();
        for (int i : new int[] {Integer.MIN_VALUE, -1000, 77, 78, 1_000_000, Integer.MAX_VALUE}) System.out.print(sparse(i));
        System.out.println();
        for (String s : new String[] {"Aa", "BB", "", "x", "four"}) System.out.print(text(s) + " ");
        System.out.println();
        for (Color c : Color.values()) System.out.print(color(c) + c.ordinal());
        System.out.println();
        int vowels = 0;
        for (char c : "systematically".toCharArray()) vowels += chars(c);
        System.out.println(vowels);
        outer:
        for (int i = 0; ; i++) {
            switch (i) {
                case 3: continue outer;
                case 7: break outer;
                default: System.out.print(i);
            }
        }
        System.out.println();
        Byte boxed = 3;
        switch (boxed) {
            case 3: System.out.println("boxed");
        }
        try {
            color(null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
    }
}
