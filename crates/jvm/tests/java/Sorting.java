import java.util.*;

/** Sorting by hand and with the library. */
public class Sorting {
    static void bubble(int[] a) {
        for (int i = 0; i < a.length; i++)
            for (int j = 0; j + 1 < a.length - i; j++)
                if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
    }

    static void quick(int[] a, int low, int high) {
        if (low >= high) return;
        int pivot = a[(low + high) >>> 1], i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; }
        }
        quick(a, low, j);
        quick(a, i, high);
    }

    static <T extends Comparable<T>> void merge(T[] a) {
        if (a.length < 2) return;
        T[] left = Arrays.copyOfRange(a, 0, a.length / 2), right = Arrays.copyOfRange(a, a.length / 2, a.length);
        merge(left);
        merge(right);
        int i = 0, j = 0;
        for (int k = 0; k < a.length; k++)
            a[k] = j >= right.length || i < left.length && left[i].compareTo(right[j]) <= 0 ? left[i++] : right[j++];
    }

    public static void main(String[] args) {
        int[] numbers = new int[200];
        long seed = 12345;
        for (int i = 0; i < numbers.length; i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            numbers[i] = (int) (seed >>> 40) % 1000;
        }
        int[] one = numbers.clone(), two = numbers.clone(), three = numbers.clone();
        bubble(one);
        quick(two, 0, two.length - 1);
        Arrays.sort(three);
        System.out.println(Arrays.equals(one, two) + " " + Arrays.equals(two, three) + " " + one[0] + " " + one[199]);
        String[] words = "the quick brown fox jumps over the lazy dog again and again".split(" ");
        merge(words);
        System.out.println(String.join(",", words));
        Integer[] boxed = {5, 3, 9, 1, 7, -4, 0};
        Arrays.sort(boxed, Collections.reverseOrder());
        System.out.println(Arrays.toString(boxed));
        List<String> list = new ArrayList<>(Arrays.asList("pear", "fig", "apple", "kiwi", "banana"));
        list.sort(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
        System.out.println(list);
        Collections.sort(list);
        System.out.println(list + " " + Collections.binarySearch(list, "kiwi"));
        long[] longs = {Long.MAX_VALUE, -1, 0, Long.MIN_VALUE};
        Arrays.sort(longs);
        System.out.println(Arrays.toString(longs));
        double[] doubles = {1.5, Double.NaN, -0.0, 0.0, Double.NEGATIVE_INFINITY};
        Arrays.sort(doubles);
        System.out.println(Arrays.toString(doubles));
        char[] chars = "counterpoint".toCharArray();
        Arrays.sort(chars);
        System.out.println(new String(chars));
        PriorityQueue<Integer> queue = new PriorityQueue<>(Arrays.asList(5, 2, 8, 1, 9));
        StringBuilder out = new StringBuilder();
        while (!queue.isEmpty()) out.append(queue.poll()).append(' ');
        System.out.println(out);
    }
}
