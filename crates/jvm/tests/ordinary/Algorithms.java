public class Algorithms {
    static int[] memo = new int[50];
    static int collatz(long n) {
        int s = 0;
        while (n != 1) {
            n = (n & 1) == 0 ? n / 2 : 3 * n + 1;
            s++;
        }
        return s;
    }
    static String toRoman(int n) {
        int[] v = {1000,900,500,400,100,90,50,40,10,9,5,4,1};
        String[] s = {"M","CM","D","CD","C","XC","L","XL","X","IX","V","IV","I"};
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < v.length; i++) while (n >= v[i]) {
            b.append(s[i]);
            n -= v[i];
        }
        return b.toString();
    }
    static boolean isPrime(int n) {
        if (n < 2) return false;
        for (int i = 2; (long) i * i <= n; i++) if (n % i == 0) return false;
        return true;
    }
    static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }
    static long pow(long b, int e, long m) {
        long r = 1;
        b %= m;
        while (e > 0) {
            if ((e & 1) == 1) r = r * b % m;
            b = b * b % m;
            e >>= 1;
        }
        return r;
    }
    static void perm(String p, String r, java.util.List<String> out) {
        if (r.isEmpty()) out.add(p);
        for (int i = 0; i < r.length(); i++) perm(p + r.charAt(i), r.substring(0,i) + r.substring(i+1), out);
    }
    static void quick(int[] a, int lo, int hi) {
        if (lo >= hi) return;
        int p = a[(lo+hi)>>>1], i = lo, j = hi;
        while (i <= j) {
            while (a[i] < p) i++;
            while (a[j] > p) j--;
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        quick(a,lo,j);
        quick(a,i,hi);
    }
    static int bs(int[] a, int k) {
        int lo = 0, hi = a.length-1;
        while (lo <= hi) {
            int m = (lo+hi)>>>1;
            if (a[m] < k) lo = m+1;
            else if (a[m] > k) hi = m-1;
            else return m;
        }
        return -(lo+1);
    }
    public static void main(String[] x) {
        System.out.println(collatz(27) + " " + toRoman(1994) + " " + isPrime(2147483647) + " " + gcd(1071,462) + " " + pow(3,200,1000000007));
        java.util.List<String> l = new java.util.ArrayList<>();
        perm("","abcd",l);
        System.out.println(l.size() + l.get(5) + l);
        int[] a = {9,-3,7,0,7,Integer.MIN_VALUE,Integer.MAX_VALUE,2};
        quick(a,0,a.length-1);
        System.out.println(java.util.Arrays.toString(a) + bs(a,7) + bs(a,8));
        for (int i = 1; i <= 15; i++) System.out.print((i % 15 == 0 ? "FizzBuzz" : i % 5 == 0 ? "Buzz" : i % 3 == 0 ? "Fizz" : i) + " ");
        System.out.println();
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            sb.append(" ".repeat(4-i)).append("*".repeat(2*i+1)).append('\n');
        }
        System.out.print(sb);
        System.out.println(Integer.toBinaryString(42) + Long.toHexString(255L) + Integer.parseInt("101010",2));
        double root = 2;
        for (int i = 0; i < 20; i++) root = (root + 2/root)/2;
        System.out.println(root);
        double pi = 0;
        for (int k = 0; k < 1000; k++) pi += (k % 2 == 0 ? 4.0 : -4.0)/(2*k+1);
        System.out.println(pi);
    }
}
