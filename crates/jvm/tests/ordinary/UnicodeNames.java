public class UnicodeNames {
    public static void main(String[] args) {
        int größe = 5;
        String naïve = "ünïcödé 日本語 😀";
        System.out.println(größe + naïve);
        Überklasse ü = new Überklasse();
        System.out.println(ü.getClass().getName() + ü.wert());
        System.out.println("\u0041\t\"q\"\\ \101 \0".length());
        char c = '\u20ac';
        System.out.println(c);
        System.err.println("stderr ünï");
        System.out.write(65);
        System.out.write('\n');
        System.out.flush();
        System.out.print(new char[]{'a','b','\n'});
        System.out.println((Object)null);
        System.out.println(1L);
        System.out.println(1.5f);
        System.out.println('c');
        System.out.println(true);
        System.out.append("app").append('x').append("abc",1,2).println();
        System.out.format("%s%n", "fmt");
        System.out.println(new Object() { public String toString() { return "anon"; } });
        System.out.println(new char[0].length);
    }
    static class Überklasse {
        int wert() {
            return 42;
        }
    }
}
