import java.util.*;
public class Numerics {
    static class Matrix {
        final double[][] d;
        Matrix(int n) {
            d = new double[n][n];
        }
        Matrix mul(Matrix o) {
            int n = d.length;
            Matrix r = new Matrix(n);
            for (int i=0;i<n;i++) for (int j=0;j<n;j++) {
                double s = 0;
                for (int k=0;k<n;k++) s += d[i][k]*o.d[k][j];
                r.d[i][j] = s;
            }
            return r;
        }
    }
    public static void main(String[] a) {
        Matrix m = new Matrix(30);
        Random r = new Random(1);
        for (double[] row : m.d) for (int j=0;j<30;j++) row[j] = r.nextDouble();
        Matrix p = m;
        for (int i=0;i<3;i++) p = p.mul(m);
        System.out.println(p.d[3][4] + " " + Arrays.stream(p.d).flatMapToDouble(Arrays::stream).sum());
        boolean[] sieve = new boolean[20000];
        int c = 0;
        for (int i=2;i<sieve.length;i++) {
            if (!sieve[i]) {
                c++;
                for (long j=(long)i*i;j<sieve.length;j+=i) sieve[(int)j] = true;
            }
        }
        System.out.println(c);
        long[] fib = new long[90];
        fib[1] = 1;
        for (int i=2;i<90;i++) fib[i] = fib[i-1]+fib[i-2];
        System.out.println(fib[89]);
        System.out.println(ack(2,5));
        int q = 0;
        for (int i=0;i<8;i++) q += queens(8,0,0,0,0);
        System.out.println(q);
        String s1="kitten sitting on the mat", s2="sitting kitten at the mall";
        int[][] dp = new int[s1.length()+1][s2.length()+1];
        for (int i=0;i<=s1.length();i++) for (int j=0;j<=s2.length();j++) dp[i][j] = i==0?j:j==0?i:Math.min(Math.min(dp[i-1][j],dp[i][j-1])+1, dp[i-1][j-1]+(s1.charAt(i-1)==s2.charAt(j-1)?0:1));
        System.out.println(dp[s1.length()][s2.length()]);
    }
    static int ack(int m, int n) {
        return m==0?n+1:n==0?ack(m-1,1):ack(m-1,ack(m,n-1));
    }
    static int queens(int n, int r, int c, int d, int e) {
        if (r==n) return 1;
        int s=0;
        for (int i=0;i<n;i++) {
            int x=1<<i,y=1<<(r+i),z=1<<(r-i+n);
            if ((c&x)==0&&(d&y)==0&&(e&z)==0) s+=queens(n,r+1,c|x,d|y,e|z);
        }
        return s;
    }
}
