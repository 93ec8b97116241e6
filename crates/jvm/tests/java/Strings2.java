import java.util.*;
import java.util.stream.*;

/** Unicode, comparison, code points, encodings and parsing of text. */
public class Strings2 {
    public static void main(String[] args) throws Exception {
        String s = "Grüße 世界 \uD83D\uDE00!";
        System.out.println(s + " " + s.length() + " " + s.codePointCount(0, s.length()) + " " + s.indexOf("世") + " " + s.toUpperCase() + " " + s.hashCode());
        System.out.println(s.codePoints().mapToObj(Integer::toHexString).collect(Collectors.joining(" ")));
        System.out.println(Arrays.toString(s.getBytes("UTF-8")) + " " + new String(s.getBytes("UTF-8"), "UTF-8").equals(s) + " " + s.getBytes("UTF-16LE").length + " " + new String("é".getBytes("ISO-8859-1"), "ISO-8859-1"));
        System.out.println(new StringBuilder(s).reverse());
        System.out.println("straße".equalsIgnoreCase("STRASSE") + " " + "ÀÉ".toLowerCase() + " " + "äöü".compareTo("abc") + " " + "é".compareTo("z"));
        System.out.println("a\tb  c".split("\\s+").length + " " + Arrays.toString("1,2,,3,".split(",", -1)) + Arrays.toString("k=v=w".split("=", 2)));
        System.out.println("%s and %10s and %-5s|".formatted("x", "right", "l") + " " + "abc".strip().stripLeading() + "x  ".stripTrailing() + "|");
        System.out.println(String.valueOf((Object) null) + " " + "null".equals(null + "") + " " + "abcabc".replace("bc", "") + " " + "aaa".replace("aa", "b"));
        StringBuilder flipped = "Hello".chars().map(c -> c ^ 32).collect(StringBuilder::new, (b, c) -> b.append((char) c), StringBuilder::append);
        System.out.println(flipped);
        System.out.println("ab".compareTo("abc") + " " + "b".compareTo("abc") + " " + "".compareTo("a") + " " + "same".compareTo("same"));
        System.out.println("x".repeat(0).isEmpty() + " " + "regionMatches".regionMatches(true, 6, "MATCH", 0, 5) + " " + "abc".indexOf("") + " " + "abc".lastIndexOf("c", 1));
        char[] chars = new char[5];
        "counterpoint".getChars(2, 7, chars, 0);
        System.out.println(chars.length + String.copyValueOf(chars, 1, 3) + String.valueOf(chars));
        System.out.println(Stream.of("banana", "Apple", "cherry").sorted(String.CASE_INSENSITIVE_ORDER).toList() + " " + "Zebra".compareToIgnoreCase("apple"));
        System.out.println("a1b2c3".replaceAll("[^0-9]", "") + " " + "CamelCaseText".replaceAll("([A-Z])", "_$1").toLowerCase() + " " + "x.y".split("\\.").length);
        System.out.println(Integer.toString("hash me".hashCode(), 36) + " " + "Aa".hashCode() + " " + "BB".hashCode());
        System.out.println(new String(new int[] {0x1F600, 65}, 0, 2).length() + " " + Character.charCount(0x1F600) + Character.isSurrogate(s.charAt(9)));
    }
}
