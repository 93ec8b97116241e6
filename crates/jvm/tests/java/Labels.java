/** Control flow: labels, do loops, conditional expressions, evaluation order, shadowing. */
public class Labels {
    static int counter;
    static int next(String s) { System.out.print(s); return ++counter; }

    public static void main(String[] args) {
        outer:
        for (int i = 0; i < 10; i++) {
            int j = 0;
            do {
                if (j == 3) continue outer;
                if (i == 4) break outer;
                System.out.print(i * j + " ");
                j++;
            } while (true);
        }
        System.out.println();
        int[] a = new int[5];
        int i = 0;
        a[i++] = i++ + i++;
        a[next("x") % 5] += next("y") * next("z");
        System.out.println(a[0] + " " + a[1] + " " + i + " " + counter);
        boolean r = next("a") > 0 || next("b") > 0;
        boolean s = next("c") > 100 && next("d") > 0;
        boolean t = next("e") > 100 & next("f") > 0;
        System.out.println(r + " " + s + " " + t + counter);
        int x = 5;
        x = x++ + ++x;
        x += x++ * 2 + x;
        System.out.println(x);
        String w = null;
        w += "s";
        w += 1 + 2;
        w += 'c' + 1;
        w += (char) ('c' + 1);
        System.out.println(w);
        block: { if (x > 0) break block; System.out.println("never"); }
        for (int p = 0, q = 10; p < q; p += 3, q--) System.out.print(p + ":" + q + " ");
        System.out.println();
        long total = 0;
        for (byte b = -128; ; b++) { total += b; if (b == 127) break; }
        for (char c = 'a'; c <= 'z'; c += 5) System.out.print(c);
        System.out.println(total);
        final int k;
        if (args.length == 0) k = 1; else k = 2;
        int result = k == 1 ? x > 3 ? 10 : 20 : 30;
        System.out.println(result);
        while (counter-- > 0) { if (counter % 2 == 0) continue; System.out.print(counter); }
        System.out.println();
        synchronized (Labels.class) { System.out.println(1 + 2 + "3" + 4 + 5); }
        System.out.println((Object) null + "" + new char[] {'a'}.length + 1.0f + 'c' + 1L + true);
        assertions();
    }

    static void assertions() {
        int wide1 = 0, wide2 = 100000;
        wide1 += 40000;
        wide2 -= 40000;
        System.out.println(wide1 + wide2);
    }
}
