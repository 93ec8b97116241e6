public class SwitchesAndOperators {
    enum D {
        MON, TUE, SUN
    }
    static int f(Object o) {
        return 0;
    }
    static String sw(int i) {
        return switch (i) {
            case 1, 2, 3 -> "low";
            case 100 -> {
                String s = "hun";
                yield s + "dred";
            }
            case -5 -> "neg";
            default -> "other" + i;
        };
    }
    static int ss(String s) {
        switch (s) {
            case "Aa": return 1;
            case "BB": return 2;
            case "": return 3;
            default: return -1;
        }
    }
    static boolean weekend(D d) {
        return switch (d) {
            case SUN -> true;
            case MON, TUE -> false;
        };
    }
    public static void main(String[] a) {
        for (int i : new int[]{1,3,100,-5,7}) System.out.print(sw(i) + " ");
        System.out.println(ss("Aa") + "" + ss("BB") + ss("") + ss("C") + weekend(D.SUN));
        int n = 2;
        switch (n) {
            case 1: System.out.print("1");
            case 2: System.out.print("2");
            case 3: System.out.print("3");
            break;
            case 4: System.out.print("4");
        }
        System.out.println();
        char c = 'b';
        switch (c) {
            case 'a' -> System.out.println("a");
            case 'b' -> System.out.println("b");
        }
        Integer boxed = 5;
        switch (boxed) {
            case 5: System.out.println("five");
        }
        try {
            D d = null;
            switch (d) {
                default:
            }
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            String s = null;
            switch (s) {
                case "x":
            }
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        outer: for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                if (j == 3) continue outer;
                if (i == 2) break outer;
                System.out.print(i*10+j + " ");
            }
        }
        System.out.println();
        blk: {
            if (n == 2) break blk;
            System.out.println("never");
        }
        int k = 0;
        do {
            k += 3;
            if (k % 2 == 0) continue;
            k++;
        }  while (k < 20);
        System.out.println(k);
        var x = switch (k) {
            case 0: yield 1.5;
            default: yield 2;
        };
        System.out.println(x);
        for (int i=0,j=10;i<j;i++,j--) if (i+j!=10) System.out.println("?");
        int t = 5;
        t += 3.7;
        t <<= 33;
        t >>>= 1;
        byte b = (byte)200;
        b += 100;
        b >>>= 1;
        short sh = 10;
        sh *= 1.5;
        char ch = 'a';
        ch++;
        System.out.println(t + " " + b + " " + sh + ch + (ch + 1) + (char)(ch + 1));
        int q = 5;
        q = q++ + ++q;
        System.out.println(q);
        int[] ar = {0,0};
        int ix = 0;
        ar[ix++] = ix;
        System.out.println(ar[0] + "" + ix);
        System.out.println(1 + 2 + "x" + 1 + 2 + 'c' + 1.0f + null + true);
        System.out.println('a' + 'b' + "" + 'a' + 'b');
        System.out.println(true ? 1 : 2.0);
        System.out.println((Object)(true ? 1 : 'a'));
        Integer i1 = 127, i2 = 127, i3 = 128, i4 = 128;
        System.out.println((i1==i2) + " " + (i3==i4) + i3.equals(i4));
        Long L = 127L;
        System.out.println(L.equals(127) + "" + L.equals(127L));
        final int z;
        z = 4;
        System.out.println(z);
    }
}
