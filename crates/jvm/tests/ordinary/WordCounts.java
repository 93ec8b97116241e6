import java.util.*;
import java.util.stream.*;
public class WordCounts {
    public static void main(String[] a) {
        String text = "It was the best of times, it was the worst of times, it was the age of wisdom";
        Map<String,Long> f = Arrays.stream(text.toLowerCase().split("\\W+")).collect(Collectors.groupingBy(w -> w, Collectors.counting()));
        f.entrySet().stream().sorted(Map.Entry.<String,Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey())).limit(5).forEach(e -> System.out.printf("%-6s %3d%n", e.getKey(), e.getValue()));
        System.out.println(text.chars().filter(c -> "aeiou".indexOf(c) >= 0).count());
        System.out.println(new StringBuilder(text).reverse());
        Map<Character,Integer> cm = new TreeMap<>();
        for (char c : text.replace(" ","").toCharArray()) cm.put(c, cm.getOrDefault(c,0)+1);
        System.out.println(cm);
        System.out.println(Arrays.stream(text.split(" ")).map(w -> Character.toUpperCase(w.charAt(0)) + w.substring(1)).collect(Collectors.joining(" ")));
        System.out.println(IntStream.range(0,text.length()).filter(i -> text.charAt(i)=='w').boxed().collect(Collectors.toList()));
        System.out.println("" + Stream.of(text.split(" ")).collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.toCollection(TreeSet::new))));
        char[] cs = text.toCharArray();
        Arrays.sort(cs);
        System.out.println(new String(cs).trim());
        for (String w : new String[]{"racecar","hello"}) System.out.println(w + " " + new StringBuilder(w).reverse().toString().equals(w));
        System.out.println(caesar("Hello, World!",3));
    }
    static String caesar(String s, int k) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) b.append(Character.isUpperCase(c) ? (char)('A'+(c-'A'+k)%26) : Character.isLowerCase(c) ? (char)('a'+(c-'a'+k)%26) : c);
        return b.toString();
    }
}
