import java.util.*;
public class Identities {
    static long counter;
    long id = ++counter;
    @Override public boolean equals(Object o) {
        if (this == o) return true;
        if (o == null || getClass() != o.getClass()) return false;
        return id == ((Identities) o).id;
    }
    @Override public int hashCode() {
        return Objects.hash(id);
    }
    public static void main(String[] a) throws Exception {
        String s1 = "hello", s2 = "hel" + "lo", s3 = new String("hello"), part = "hel";
        String s4 = part + "lo";
        System.out.println((s1 == s2) + " " + (s1 == s3) + " " + (s1 == s4) + " " + (s1 == s4.intern()) + " " + s1.equals(s4));
        final String fp = "hel";
        System.out.println(s1 == fp + "lo");
        Object o = 5;
        Number n = (Number) o;
        System.out.println(n.doubleValue() + n.byteValue() + " " + (o instanceof Integer i && i > 3));
        long big = Integer.MAX_VALUE;
        big++;
        int trunc = (int) big;
        System.out.println(big + " " + trunc);
        char c = 'A';
        c += 1;
        int ci = c + 1;
        System.out.println(c + " " + ci + " " + (char) ci + (int) 'é' + "\u00e9".equals("é"));
        System.out.println((byte) 0xff + " " + (0xff & (byte) 0xff) + " " + (short) 0x18000 + " " + (1 / 3 * 3) + " " + 1.0f / 3 + " " + 10e-3 + " " + 07 + 0x1F + 0b11);
        System.out.println(Long.MIN_VALUE + " " + -Long.MIN_VALUE + " " + Long.MIN_VALUE / -1 + " " + Math.abs(Long.MIN_VALUE));
        boolean t = true, f = false;
        System.out.println((t ^ f) + " " + (t & f | t) + " " + (!t || f && t));
        int x = 5;
        x = x++ * 2 + x;
        System.out.println(x);
        int y = 10;
        y -= 3 - 1;
        y *= 2 + 3;
        y %= 7;
        System.out.println(y);
        System.out.println(((Object) 1).equals(1L) + " " + new Integer(5).equals(5) + " " + (new Integer(5) == new Integer(5)) + Integer.valueOf(100).hashCode() + Boolean.valueOf("yes") + Character.valueOf('x').compareTo('z') + Double.valueOf("3.14").intValue());
        Identities d1 = new Identities(), d2 = new Identities();
        System.out.println(d1.equals(d2) + " " + d1.hashCode() + " " + d2.hashCode() + d1.id + counter);
        int[] arr = new int[3];
        int[] alias = arr;
        alias[1] = 9;
        System.out.println(arr[1] + " " + arr.equals(alias) + " " + arr.length);
        Object oa = arr;
        System.out.println(oa instanceof int[]);
        StringBuilder sb = new StringBuilder();
        change(sb, 5);
        System.out.println(sb);
        label: while (true) {
            switch (arr[1]) {
                case 9: break label;
            }
        }
        System.out.println(ternary(-1) + ternary(0) + ternary(1));
        System.out.println(Integer.compare(3,5) + Boolean.compare(true,false) + "b".compareTo("a") + Integer.max(3,4) + Integer.sum(1,2) + Long.compareUnsigned(-1,1) + Character.compare('a','b'));
        var list = new ArrayList<Map<String, ? extends Number>>();
        list.add(Map.of("k", 1));
        for (var e : list) System.out.println(e.get("k").intValue());
    }
    static void change(StringBuilder s, int n) {
        s.append("changed");
        s = new StringBuilder("other");
        n = 7;
    }
    static String ternary(int n) {
        return n > 0 ? "pos" : n < 0 ? "neg" : "zero";
    }
}
