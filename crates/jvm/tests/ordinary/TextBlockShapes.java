public class TextBlockShapes {
    static String t = """
   Hello,
     "World" \
   joined
   tab\tq
   trail   \s
   """;
    public static void main(String[] a) {
        System.out.print(t);
        System.out.println("""
     {"a": 1,
      "b": [1,2]}""");
        System.out.println(t.length());
        System.out.println("""
     x ""\" y
     """.strip());
    }
}
