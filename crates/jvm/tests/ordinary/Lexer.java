import java.util.*;
import java.util.regex.*;
public class Lexer {
    record Token(String kind, String text) {}
    static List<Token> lex(String s) {
        List<Token> out = new ArrayList<>();
        Matcher m = Pattern.compile("\\s*(?:(?<num>\\d+(?:\\.\\d+)?)|(?<id>[a-zA-Z_]\\w*)|(?<op>[-+*/()=]))").matcher(s);
        int pos = 0;
        while (pos < s.length() && m.find(pos) && m.start() == pos) {
            for (String k : new String[]{"num", "id", "op"}) if (m.group(k) != null) out.add(new Token(k, m.group(k)));
            pos = m.end();
        }
        if (pos < s.length()) throw new IllegalArgumentException("bad char at " + pos + ": '" + s.charAt(pos) + "'");
        return out;
    }
    public static void main(String[] args) {
        for (String s : List.of("x = 3 + 4.5*(y-1)", "a $ b", "")) {
            try {
                System.out.println(lex(s));
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println("2024-01-15".replaceAll("(\\d+)-(\\d+)-(\\d+)", "$3/$2/$1"));
        System.out.println(Arrays.asList("one1two22three".split("\\d")));
        System.out.println("camelCaseString".replaceAll("([A-Z])", "_$1").toLowerCase());
        System.out.println(Pattern.compile("(\\w)(\\d*)").matcher("a1b22c").results().map(r -> r.group(1) + ":" + r.group(2)).toList());
        System.out.println("aaa bbb".matches("(?:\\w+\\s?){2}") + " " + "x".matches("[^abc]") + " " + "AB".matches("(?i)ab") + " " + "foo.bar".split(Pattern.quote(".")).length);
        System.out.println(Pattern.compile("^\\s*#.*$|\\s+$", Pattern.MULTILINE).matcher("code  \n# comment\nmore").replaceAll(""));
    }
}
