import java.util.*;

/** Arrays of all types, multi-dimensional ones, copies and the Arrays class. */
public class ArraysTest {
    public static void main(String[] args) {
        boolean[] z = new boolean[9]; z[8] = true; z[3] |= true;
        byte[] b = new byte[10]; for (int i = 0; i < b.length; i++) b[i] = (byte) (i * 40);
        char[] c = new char[5]; Arrays.fill(c, 'q'); c[2]++;
        short[] s = {1, -1, Short.MIN_VALUE};
        int[] n = {5, 4, 3, 2, 1};
        long[] l = {1L << 50, -1};
        float[] f = {1.5f, -0.0f};
        double[] d = {Math.E};
        System.out.println(Arrays.toString(z) + Arrays.toString(b) + new String(c) + Arrays.toString(s) + Arrays.toString(n) + Arrays.toString(l) + Arrays.toString(f) + Arrays.toString(d));
        int[][] grid = new int[3][4];
        for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) grid[i][j] = i * j;
        int[][][] deep = new int[2][3][];
        System.out.println(Arrays.deepToString(grid) + " " + deep[1].length + " " + deep[1][2]);
        String[][] jagged = {{"a"}, {"b", "c"}, null};
        System.out.println(Arrays.deepToString(jagged));
        System.arraycopy(n, 0, n, 1, 4);
        System.out.println(Arrays.toString(n));
        System.arraycopy(n, 2, n, 0, 3);
        System.out.println(Arrays.toString(n) + Arrays.toString(Arrays.copyOf(n, 7)) + Arrays.toString(Arrays.copyOfRange(b, 2, 5)));
        System.out.println(Arrays.equals(n, n.clone()) + " " + n.equals(n.clone()) + " " + Arrays.hashCode(n) + " " + Arrays.deepHashCode(grid) + " " + Arrays.asList(1, 2).hashCode());
        Object[] objects = new String[] {"x"};
        try {
            objects[0] = 1;
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        for (Object a : new Object[] {z, b, c, s, n, l, f, d, grid, jagged}) System.out.print(a.getClass().getName() + " " + a.getClass().getSimpleName() + ";");
        System.out.println();
        try {
            System.arraycopy(n, 0, n, 3, 9);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        Integer[] boxed = new Integer[3];
        Arrays.setAll(boxed, i -> i * i);
        System.out.println(Arrays.toString(boxed) + Arrays.stream(boxed).mapToInt(i -> i).sum());
        List<Integer> view = Arrays.asList(boxed);
        view.set(0, 9);
        System.out.println(boxed[0] + " " + Arrays.compare(new int[] {1, 2}, new int[] {1, 3}) + Arrays.mismatch(new int[] {1, 2}, new int[] {1, 3}));
        int i = 0;
        int[] order = new int[3];
        order[i] = i = 2;
        System.out.println(Arrays.toString(order) + i);
        Object made = java.lang.reflect.Array.newInstance(String.class, 2);
        System.out.println(((String[]) made).length + " " + made.getClass().getComponentType());
        byte[] big = new byte[100_000];
        Arrays.fill(big, 5, 99_995, (byte) 7);
        int total = 0;
        for (byte x : big) total += x;
        System.out.println(total);
    }
}
