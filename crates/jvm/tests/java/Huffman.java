import java.util.*;

/** Huffman codes, run-length encoding, Base64. */
public class Huffman {
    static abstract class Tree implements Comparable<Tree> {
        final int weight, number;
        static int numbers;
        Tree(int weight) { this.weight = weight; number = numbers++; }
        public int compareTo(Tree o) { return weight != o.weight ? weight - o.weight : number - o.number; }
        abstract void codes(String prefix, Map<Character, String> out);
    }
    static class Leaf extends Tree {
        final char c;
        Leaf(char c, int w) { super(w); this.c = c; }
        void codes(String prefix, Map<Character, String> out) { out.put(c, prefix); }
    }
    static class Fork extends Tree {
        final Tree left, right;
        Fork(Tree l, Tree r) { super(l.weight + r.weight); left = l; right = r; }
        void codes(String prefix, Map<Character, String> out) { left.codes(prefix + '0', out); right.codes(prefix + '1', out); }
    }

    static String runs(String s) {
        StringBuilder b = new StringBuilder();
        for (int i = 0, j; i < s.length(); i = j) {
            for (j = i; j < s.length() && s.charAt(j) == s.charAt(i); j++);
            b.append(j - i).append(s.charAt(i));
        }
        return b.toString();
    }

    public static void main(String[] args) {
        String text = "abracadabra alakazam";
        Map<Character, Integer> freq = new TreeMap<>();
        for (char c : text.toCharArray()) freq.merge(c, 1, Integer::sum);
        PriorityQueue<Tree> queue = new PriorityQueue<>();
        freq.forEach((c, w) -> queue.add(new Leaf(c, w)));
        while (queue.size() > 1) queue.add(new Fork(queue.poll(), queue.poll()));
        Map<Character, String> codes = new TreeMap<>();
        queue.peek().codes("", codes);
        System.out.println(codes);
        StringBuilder bits = new StringBuilder();
        for (char c : text.toCharArray()) bits.append(codes.get(c));
        System.out.println(bits.length() + " " + bits);
        System.out.println(runs("aaabbbbccd") + " " + runs(bits.toString()).length());
        byte[] encoded = Base64.getEncoder().encode(text.getBytes());
        System.out.println(new String(encoded) + " " + new String(Base64.getDecoder().decode(encoded)));
    }
}
