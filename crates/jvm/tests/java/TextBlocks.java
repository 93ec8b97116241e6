/** Text blocks, escapes and Unicode. */
public class TextBlocks {
    public static void main(String[] args) {
        String block = """
            Hello,
              "World" \
            joined
            tab\tend\\
            trailing   \s
            """;
        System.out.print(block);
        System.out.println(block.length() + " " + block.lines().count());
        System.out.println("""
            {"name": "%s", "value": %d}""".formatted("x", 5));
        System.out.println("quote \" backslash \\ tab\t| octal \101 unicode \u0041");
        System.out.println("   indent\n  two".indent(2).stripIndent() + "|");
        System.out.println("a\\nb".translateEscapes());
        System.out.println("Grüße, мир, 世界".length() + " " + "ß".toUpperCase() + " " + "İ".toLowerCase().length());
    }
}
