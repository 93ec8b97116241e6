package counterpoint;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Values that come from outside.
 *
 * <p>Under {@code counterpoint check} each call is an unknown: every value that can make a difference
 * is tried. Under plain {@code java} the values of the system property {@code counterpoint.inputs} are
 * taken one after the other, as in {@code -Dcounterpoint.inputs=5,true,x}; after the last of them, and
 * without the property, values are drawn at random.
 */
public final class Input {
    private static String given;
    private static int position;

    private Input() {}

    /** Any {@code int}. */
    public static int anyInt() {
        String text = next();
        return text == null ? ThreadLocalRandom.current().nextInt() : Integer.parseInt(text);
    }

    /** Any {@code long}. */
    public static long anyLong() {
        String text = next();
        return text == null ? ThreadLocalRandom.current().nextLong() : Long.parseLong(text);
    }

    /** True or false. */
    public static boolean anyBoolean() {
        String text = next();
        return text == null ? ThreadLocalRandom.current().nextBoolean() : Boolean.parseBoolean(text);
    }

    /** Any {@code char}; in the property the character itself, quoted or not, or its number. */
    public static char anyChar() {
        String text = next();
        if (text == null) {
            return (char) ThreadLocalRandom.current().nextInt(1 << 16);
        }
        if (text.length() > 2 && text.startsWith("'") && text.endsWith("'")) {
            text = text.substring(1, text.length() - 1);
        }
        if (text.length() == 6 && text.startsWith("\\u")) {
            return (char) Integer.parseInt(text.substring(2), 16);
        }
        if (text.length() == 2 && text.startsWith("\\")) {
            return text.charAt(1);
        }
        return text.length() == 1 ? text.charAt(0) : (char) Integer.parseInt(text);
    }

    /** Any {@code byte}. */
    public static byte anyByte() {
        String text = next();
        return text == null
                ? (byte) ThreadLocalRandom.current().nextInt() : Byte.parseByte(text);
    }

    /** Any {@code short}. */
    public static short anyShort() {
        String text = next();
        return text == null
                ? (short) ThreadLocalRandom.current().nextInt() : Short.parseShort(text);
    }

    /** One of the numbers from 0 to {@code n - 1}. */
    public static int choose(int n) {
        if (n <= 0) {
            throw new IllegalArgumentException("choose among nothing");
        }
        String text = next();
        return text == null ? ThreadLocalRandom.current().nextInt(n) : Integer.parseInt(text);
    }

    /** The next value of the property; null after the last. A changed property starts anew. */
    private static synchronized String next() {
        String now = System.getProperty("counterpoint.inputs");
        if (now == null || now.isEmpty()) {
            return null;
        }
        if (!now.equals(given)) {
            given = now;
            position = 0;
        }
        String[] values = now.split(",");
        return position < values.length ? values[position++].trim() : null;
    }
}
