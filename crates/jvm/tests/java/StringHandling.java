/** Methods of String and StringBuilder. */
public class StringHandling {
    public static void main(String[] args) {
        String s = "  Hello, World  ";
        System.out.println("[" + s.trim() + "][" + s.strip() + "][" + s.toUpperCase() + "][" + s.toLowerCase() + "]");
        System.out.println(s.length() + " " + s.indexOf('o') + " " + s.lastIndexOf("o") + " " + s.indexOf("xyz"));
        System.out.println(s.replace('l', 'L') + s.replace("World", "There") + s.contains("lo,"));
        System.out.println("abc".compareTo("abd") + " " + "abc".compareTo("ab") + " " + "a".compareToIgnoreCase("B"));
        System.out.println("a,b,,c,,".split(",").length + " " + "a1b22c".split("[0-9]+").length);
        System.out.println(String.join("-", "x", "y", "z") + " " + "ab".repeat(3) + " " + "".isEmpty() + " " + " ".isBlank());
        System.out.println("hello".charAt(1) + " " + "hello".substring(1, 3) + " " + "hello".substring(2));
        System.out.println("hello".hashCode() + " " + "".hashCode() + " " + "Ünïcödé ☃".hashCode());
        System.out.println("Hello".equals("hello") + " " + "Hello".equalsIgnoreCase("hELLO"));
        System.out.println("madam".contentEquals(new StringBuilder("madam").reverse()));
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 10; i++) b.append(i).append(i % 2 == 0 ? "," : ";");
        b.insert(3, "<<").deleteCharAt(0).delete(2, 4).setCharAt(0, '#');
        System.out.println(b + " " + b.length() + " " + b.indexOf("5"));
        b.setLength(5);
        System.out.println(b);
        System.out.println(new StringBuilder().append(true).append('c').append(1L).append(2.5f).append(3.25).append((Object) null));
        System.out.println("a-b-c".chars().filter(c -> c != '-').count());
        System.out.println(String.valueOf(new char[] {'o', 'k'}) + String.valueOf(3.0) + String.valueOf(false));
        String literal = "inter" + "ned";
        System.out.println((literal == "interned") + " " + (new String("x") == "x") + " " + (new String("x").intern() == "x"));
        System.out.println("line1\nline2\nline3".lines().map(String::toUpperCase).toList());
        char c = 'a';
        c += 1;
        System.out.println(c + " " + (int) c + " " + (char) (c + 1) + " " + Character.isDigit('7') + Character.isLetter('x'));
        System.out.println("A".codePointAt(0) + " " + "\uD83D\uDE00".length() + " " + "\uD83D\uDE00".codePointCount(0, 2));
        System.out.println("tic tac toe".matches(".*tac.*") + " " + "a.b.c".replaceAll("\\.", "/"));
        System.out.println("%d items".formatted(3) + " " + "x".concat("y") + " " + "abcabc".lastIndexOf("bc", 3));
        System.out.println("b".compareTo("a") > 0 ? "after" : "before");
        System.out.println("startsWith".startsWith("start") + " " + "endsWith".endsWith("With") + " " + "xay".startsWith("a", 1));
        System.out.println(new String(new byte[] {72, 105}) + " " + "é".getBytes(java.nio.charset.StandardCharsets.UTF_8).length);
        StringBuilder big = new StringBuilder();
        for (int i = 0; i < 1000; i++) big.append((char) ('a' + i % 26));
        System.out.println(big.length() + " " + big.toString().hashCode());
    }
}
