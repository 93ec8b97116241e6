public class HelpfulNullPointers {
    int[] arr;
    HelpfulNullPointers next;
    String s;
    int f;
    static HelpfulNullPointers st;
    HelpfulNullPointers get() {
        return null;
    }
    static int[][] grid;
    public static void main(String[] a) {
        HelpfulNullPointers o = new HelpfulNullPointers();
        Runnable[] rs = { () -> System.out.println(o.next.next.s), () -> o.arr[3] = 1, () -> System.out.println(o.get().f), () -> st.f = 2, () -> System.out.println(o.s.length()), () -> { synchronized (o.next) {}
        }, () -> { throw (RuntimeException) (Object) o.next; }, () -> System.out.println(grid[1][2]), () -> { Integer i = null; int j = i; }, () -> { int[] x = null; System.out.println(x.length); }, () -> o.get().get(), () -> { String[] q = new String[2]; q[1].trim(); }, () -> { int[][] g = new int[2][]; g[1][0]++; }, () -> { for (String z : (java.util.List<String>) null) {}
        }, () -> { Object l = null; l.toString(); } };
        for (Runnable r : rs) try {
            r.run();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            int[] q = {1};
            q[-1]++;
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            ((String) handedOn(null)).length();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            java.util.Arrays.asList("a", (String) null).get(1).trim();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            throw (RuntimeException) handedOn(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
    static Object handedOn(Object o) {
        return o;
    }
}
