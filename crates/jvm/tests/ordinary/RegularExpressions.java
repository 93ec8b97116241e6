import java.util.*;
import java.util.regex.*;
public class RegularExpressions {
    public static void main(String[] a) {
        System.out.println(Arrays.toString("a,b,,c,,".split(",")) + Arrays.toString("a,b,,c,,".split(",", -1)) + Arrays.toString("a1b22c333".split("\\d+")) + Arrays.toString("".split(",")));
        System.out.println("Hello World".replaceAll("(\\w+) (\\w+)", "$2 $1") + "aaa".replaceFirst("a","b") + "x.y".replace(".", "\\"));
        Matcher m = Pattern.compile("(?<year>\\d{4})-(?<mon>\\d\\d)").matcher("on 2020-12 and 2021-01");
        while (m.find()) System.out.println(m.group() + m.start() + m.end() + m.group("year") + m.group(2) + m.start(1));
        System.out.println("foo@bar.com".matches("[\\w.]+@[\\w.]+\\.\\w+") + " " + Pattern.matches("a*b", "aaab"));
        System.out.println(Pattern.compile("^l", Pattern.MULTILINE).matcher("l1\nl2").results().map(MatchResult::start).toList());
        System.out.println(Pattern.compile("HELLO", Pattern.CASE_INSENSITIVE).matcher("say hello").find());
        StringBuilder sb = new StringBuilder();
        Matcher mm = Pattern.compile("\\d+").matcher("a1b22");
        while (mm.find()) mm.appendReplacement(sb, "<" + Integer.parseInt(mm.group())*2 + ">");
        mm.appendTail(sb);
        System.out.println(sb);
        System.out.println(Pattern.compile("\\d+").matcher("a1b22").replaceAll(r -> "[" + r.group() + "]"));
        try {
            Pattern.compile("(a");
        } catch (PatternSyntaxException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("aXbXc".split("(?=X)").length + Pattern.quote("a.b") + "tel: 555".replaceAll("\\D", ""));
        System.out.println(Pattern.compile(",").splitAsStream("p,q,r").toList() + " " + Pattern.compile("x").asPredicate().test("axb"));
        System.out.println("aaa".replaceAll("a*?", "-") + "|" + "abcabc".replaceAll("(?i)B(?=c)", "#") + "|" + "été".matches("\\p{L}+") + "a\tb c".replaceAll("\\s+", "_"));
        System.out.println("The year 1999".replaceAll("(?<y>\\d+)", "${y}AD") + "aabb".replaceAll("(a)\\1", "Z") + "xaaay".replaceAll("a{2,3}+", "b"));
        m = Pattern.compile("(a)|(b)").matcher("b");
        m.matches();
        System.out.println(m.group(1) + m.group(2) + m.groupCount() + m.hitEnd() + m.toMatchResult().group());
        m = Pattern.compile("cat").matcher("cat cat");
        System.out.println(m.lookingAt() + " " + m.matches() + " " + m.reset().find(1) + m.start());
    }
}
