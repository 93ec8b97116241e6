import java.util.*;

/** StringBuilder, StringBuffer, char sequences, joining and reversing. */
public class StringBuilders {
    static boolean palindrome(CharSequence s) {
        for (int i = 0, j = s.length() - 1; i < j; i++, j--) if (s.charAt(i) != s.charAt(j)) return false;
        return true;
    }

    public static void main(String[] args) {
        StringBuilder b = new StringBuilder("base");
        b.append(1).append(2L).append('c').append(1.5).append(2.5f).append(true).append((String) null).append(new char[] {'x', 'y'}).append("subsequence", 0, 3).append(new StringBuilder("sb"));
        System.out.println(b + " " + b.length() + " " + b.capacity());
        b.insert(0, 7).insert(1, "ins").insert(4, 'c').insert(5, 1.25).insert(0, false);
        System.out.println(b);
        b.replace(0, 5, "REPLACED").deleteCharAt(8).delete(9, 12).reverse();
        System.out.println(b + " " + b.charAt(3) + " " + b.indexOf("c") + " " + b.lastIndexOf("e") + " " + b.substring(4, 9));
        b.setCharAt(0, '☃');
        System.out.println(b + " " + b.length() + " " + b.codePointAt(0));
        b.setLength(3);
        b.trimToSize();
        b.appendCodePoint(0x1F600);
        System.out.println(b.length() + " " + b.reverse().length() + " " + b.compareTo(new StringBuilder("z")));
        System.out.println(palindrome("racecar") + " " + palindrome(new StringBuilder("ab")) + " " + palindrome(""));
        StringBuffer f = new StringBuffer();
        for (int i = 0; i < 5; i++) f.append(i).append(i < 4 ? "," : "");
        System.out.println(f + " " + f.reverse());
        try {
            new StringBuilder("abc").insert(9, "x");
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            "abc".charAt(-1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        StringBuilder grow = new StringBuilder();
        for (int i = 0; i < 300; i++) grow.append((char) (200 + i));
        System.out.println(grow.length() + " " + grow.toString().hashCode() + " " + grow.chars().sum());
        CharSequence sequence = "sequence".subSequence(2, 5);
        System.out.println(sequence + " " + String.join("|", List.of("a", "b")) + " " + new StringBuilder("x").equals(new StringBuilder("x")) + " " + "x".contentEquals(new StringBuffer("x")));
        String s = "";
        for (int i = 0; i < 20; i++) s += i % 10;
        System.out.println(s);
        System.out.println(new StringBuilder().append(Integer.MIN_VALUE).append(Long.MIN_VALUE).append(Double.MIN_VALUE));
    }
}
