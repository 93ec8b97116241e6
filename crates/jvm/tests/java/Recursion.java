import java.util.*;

/** Recursion: Ackermann, Hanoi, permutations, queens, memoised Fibonacci. */
public class Recursion {
    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static int hanoi(int n, char a, char b, char c) {
        return n == 0 ? 0 : hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a);
    }

    static void permute(String prefix, String rest, List<String> out) {
        if (rest.isEmpty()) out.add(prefix);
        for (int i = 0; i < rest.length(); i++)
            permute(prefix + rest.charAt(i), rest.substring(0, i) + rest.substring(i + 1), out);
    }

    static int queens(int n, int row, int columns, int left, int right) {
        if (row == n) return 1;
        int count = 0;
        for (int free = ~(columns | left | right) & ((1 << n) - 1); free != 0; free &= free - 1) {
            int bit = free & -free;
            count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
        return count;
    }

    static final Map<Integer, Long> memo = new HashMap<>();

    static long fibonacci(int n) {
        if (n < 2) return n;
        Long known = memo.get(n);
        if (known != null) return known;
        long value = fibonacci(n - 1) + fibonacci(n - 2);
        memo.put(n, value);
        return value;
    }

    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }

    public static void main(String[] args) {
        System.out.println(ackermann(2, 9) + " " + hanoi(10, 'a', 'b', 'c'));
        List<String> out = new ArrayList<>();
        permute("", "abcd", out);
        System.out.println(out.size() + " " + out);
        System.out.println(queens(8, 0, 0, 0, 0) + " " + fibonacci(90) + " " + even(1000) + odd(999));
    }
}
