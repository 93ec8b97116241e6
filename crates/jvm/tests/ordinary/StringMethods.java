import java.util.*;
import java.text.*;
public class StringMethods {
    public static void main(String[] a) {
        System.out.println("straße".toUpperCase() + "İ".toLowerCase().length() + "ΑΣ".toLowerCase() + "TITLE".toLowerCase(Locale.forLanguageTag("tr")) + "i".toUpperCase(new Locale("tr")) + "ǆ".toUpperCase());
        System.out.println("  a b ".trim() + "|" + "\u2003x\u2003".strip() + "|" + " ".isBlank() + "a\nb\n".lines().count() + "ab".compareTo("abc") + "b".compareToIgnoreCase("A") + "Abc".equalsIgnoreCase("aBC") + "x".concat("y") + "hello".indexOf('l') + "hello".lastIndexOf("l") + "hello".indexOf("z") + "hello".contains("ell") + "hello".startsWith("he") + "hello".startsWith("l",2) + "hello".endsWith("lo") + String.join("-","a","b") + String.join("/",List.of("x","y")) + String.valueOf(new char[]{'a','b'}) + String.valueOf((Object)null) + "abc".toCharArray().length + "a-b".replace('-','+') + "hello".regionMatches(true,1,"ELL",0,3) + "x".hashCode() + "hello world".hashCode() + "".hashCode() + "ab".repeat(3) + "%d".formatted(1) + "a\\tb".translateEscapes() + " x\n  y".stripIndent() + "x\n".indent(2) + "abc".chars().sum() + "é".codePointAt(0) + "ab".describeConstable().get() + "AbC".chars().filter(Character::isUpperCase).count() + String.copyValueOf(new char[]{'x'}) + "x".intern() + new String("x").equals("x") + (new String("x") == "x") + (new String("x").intern() == "x") + ("a" + "b" == "ab") + "a".compareTo("b") + "tEST".substring(0,1).toUpperCase() + "abc".transform(s -> s + "!") + "1,2".split(",").length);
        System.out.println(Normalizer.normalize("é", Normalizer.Form.NFD).length());
        System.out.println(Collator.getInstance(Locale.US).compare("a","B"));
        BreakIterator b = BreakIterator.getWordInstance(Locale.US);
        b.setText("hi there");
        int n = 0;
        while (b.next() != BreakIterator.DONE) n++;
        System.out.println(n);
    }
}
