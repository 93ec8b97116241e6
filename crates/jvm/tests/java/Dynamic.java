import java.util.*;

/** Dynamic programming: edit distance, knapsack, longest common subsequence, coins, matrix chain. */
public class Dynamic {
    static int edit(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++)
            for (int j = 0; j <= b.length(); j++)
                d[i][j] = i == 0 ? j : j == 0 ? i : Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
        return d[a.length()][b.length()];
    }

    static String common(String a, String b) {
        String[][] t = new String[a.length() + 1][b.length() + 1];
        for (String[] row : t) Arrays.fill(row, "");
        for (int i = 1; i <= a.length(); i++)
            for (int j = 1; j <= b.length(); j++)
                t[i][j] = a.charAt(i - 1) == b.charAt(j - 1) ? t[i - 1][j - 1] + a.charAt(i - 1) : t[i - 1][j].length() >= t[i][j - 1].length() ? t[i - 1][j] : t[i][j - 1];
        return t[a.length()][b.length()];
    }

    static int knapsack(int[] weights, int[] values, int capacity) {
        int[] best = new int[capacity + 1];
        for (int i = 0; i < weights.length; i++)
            for (int c = capacity; c >= weights[i]; c--) best[c] = Math.max(best[c], best[c - weights[i]] + values[i]);
        return best[capacity];
    }

    static long ways(int amount, int... coins) {
        long[] w = new long[amount + 1];
        w[0] = 1;
        for (int c : coins) for (int a = c; a <= amount; a++) w[a] += w[a - c];
        return w[amount];
    }

    static long catalan(int n, Map<Integer, Long> memo) {
        if (n <= 1) return 1;
        return memo.computeIfAbsent(n * 1000, k -> 0L) == 0 ? compute(n, memo) : memo.get(n * 1000);
    }

    static long compute(int n, Map<Integer, Long> memo) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += catalan(i, memo) * catalan(n - 1 - i, memo);
        memo.put(n * 1000, sum);
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(edit("kitten", "sitting") + " " + edit("", "abc") + " " + common("AGGTABCD", "GXTXAYBD"));
        System.out.println(knapsack(new int[] {1, 3, 4, 5}, new int[] {1, 4, 5, 7}, 7) + " " + ways(1000, 1, 5, 10, 25, 50));
        System.out.println(catalan(25, new HashMap<>()));
        StringBuilder roman = new StringBuilder();
        int n = 1994;
        int[] v = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
        String[] s = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
        for (int i = 0; i < v.length; i++) while (n >= v[i]) { roman.append(s[i]); n -= v[i]; }
        System.out.println(roman);
        long steps = 0;
        for (int i = 1; i < 300; i++) for (long x = i; x != 1; steps++) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        System.out.println(steps);
    }
}
