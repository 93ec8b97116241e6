import java.util.*;

/** The random generator, game of life, a bank, and a linear congruence. */
public class Simulation {
    static boolean[][] step(boolean[][] g) {
        int n = g.length;
        boolean[][] next = new boolean[n][n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int alive = 0;
                for (int a = -1; a <= 1; a++)
                    for (int b = -1; b <= 1; b++)
                        if ((a != 0 || b != 0) && g[(i + a + n) % n][(j + b + n) % n]) alive++;
                next[i][j] = alive == 3 || g[i][j] && alive == 2;
            }
        return next;
    }

    public static void main(String[] args) {
        Random r = new Random(2024);
        System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextLong() + " " + r.nextDouble() + " " + r.nextBoolean() + " " + r.nextGaussian() + " " + r.nextFloat());
        System.out.println(Arrays.toString(r.ints(5, 0, 10).toArray()));
        boolean[][] g = new boolean[8][8];
        int[][] glider = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
        for (int[] p : glider) g[p[0]][p[1]] = true;
        for (int i = 0; i < 12; i++) g = step(g);
        for (boolean[] row : g) { for (boolean b : row) System.out.print(b ? '#' : '.'); System.out.println(); }
        Map<String, Long> accounts = new TreeMap<>();
        for (String s : "a b c".split(" ")) accounts.put(s, 1000L);
        for (int i = 0; i < 50; i++) {
            String from = "abc".substring(r.nextInt(3)).substring(0, 1), to = String.valueOf((char) ('a' + r.nextInt(3)));
            long amount = r.nextInt(50);
            accounts.compute(from, (k, v) -> v - amount);
            accounts.compute(to, (k, v) -> v + amount);
        }
        System.out.println(accounts + " " + accounts.values().stream().mapToLong(x -> x).sum());
        boolean[] composite = new boolean[1000];
        List<Integer> primes = new ArrayList<>();
        for (int i = 2; i < 1000; i++) {
            if (composite[i]) continue;
            primes.add(i);
            for (int j = i * i; j < 1000; j += i) composite[j] = true;
        }
        System.out.println(primes.size() + " " + primes.get(167));
        double[][] a = {{2, 1}, {1, 3}}, b = {{1, 0}, {4, 5}}, c = new double[2][2];
        for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) for (int k = 0; k < 2; k++) c[i][j] += a[i][k] * b[k][j];
        System.out.println(Arrays.deepToString(c));
    }
}
