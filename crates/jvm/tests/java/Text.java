import java.util.*;
import java.util.regex.*;

/** A small calculator, regular expressions, and word counts. */
public class Text {
    static int at;
    static String input;

    static double expression() {
        double value = term();
        while (at < input.length() && (input.charAt(at) == '+' || input.charAt(at) == '-')) value = input.charAt(at++) == '+' ? value + term() : value - term();
        return value;
    }

    static double term() {
        double value = factor();
        while (at < input.length() && (input.charAt(at) == '*' || input.charAt(at) == '/')) value = input.charAt(at++) == '*' ? value * factor() : value / factor();
        return value;
    }

    static double factor() {
        if (input.charAt(at) == '(') { at++; double v = expression(); at++; return v; }
        if (input.charAt(at) == '-') { at++; return -factor(); }
        int start = at;
        while (at < input.length() && (Character.isDigit(input.charAt(at)) || input.charAt(at) == '.')) at++;
        return Double.parseDouble(input.substring(start, at));
    }

    static double evaluate(String s) { input = s.replace(" ", ""); at = 0; return expression(); }

    public static void main(String[] args) {
        for (String s : new String[] {"1 + 2 * 3", "(1+2)*3", "-4/(2-2.5)", "2*(3+4*(5-1))"}) System.out.println(s + " = " + evaluate(s));
        Matcher m = Pattern.compile("(\\w+)@(\\w+)\\.(com|org)").matcher("ann@site.com, bob@place.org; x@y.net");
        while (m.find()) System.out.println(m.group(1) + " at " + m.group(2) + " " + m.start() + "-" + m.end());
        System.out.println("2024-01-15".replaceAll("(\\d+)-(\\d+)-(\\d+)", "$3.$2.$1") + " " + "aaa".replaceFirst("a", "b"));
        System.out.println(Pattern.matches("[a-c]+\\d*", "abc123") + " " + Arrays.toString(Pattern.compile("\\s*,\\s*").split("a , b,c")));
        String text = "It was the best of times it was the worst of times";
        Map<String, Integer> freq = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String w : text.split("\\s+")) freq.merge(w, 1, Integer::sum);
        System.out.println(freq);
        StringTokenizer t = new StringTokenizer("a=1;b=2", "=;");
        while (t.hasMoreTokens()) System.out.print(t.nextToken() + "/");
        System.out.println();
        StringBuilder caesar = new StringBuilder();
        for (char c : "Attack at Dawn".toCharArray()) caesar.append(Character.isLetter(c) ? (char) ((c & 32 | 64) + ((c & 31) - 1 + 13) % 26 + 1) : c);
        System.out.println(caesar);
        System.out.println(new StringJoiner(", ", "{", "}").add("a").add("b") + " " + "x".compareTo("abc") + " " + "Mississippi".chars().distinct().count());
    }
}
