public class LoopsAndHashes {
    static long fact(int n) {
        return n <= 1 ? 1 : n * fact(n-1);
    }
    public static void main(String[] args) {
        System.out.println(args.length);
        long h = 0;
        for (int i = 0; i < 1_000_000; i++) {
            h = h * 31 + i;
            h ^= h >>> 7;
        }
        System.out.println(h);
        System.out.println(fact(20));
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < 20000; i++) sb.append(i % 10);
        System.out.println(sb.toString().hashCode());
        java.util.Map<Integer,Integer> m = new java.util.HashMap<>();
        for (int i = 0; i < 20000; i++) m.merge(i % 997, 1, Integer::sum);
        System.out.println(m.get(5));
        String s = "";
        for (int i = 0; i < 500; i++) s += i;
        System.out.println(s.length());
        int[] arr = new java.util.Random(1).ints(20000).toArray();
        java.util.Arrays.sort(arr);
        System.out.println(arr[0] + " " + arr[19999]);
        System.out.println(java.util.stream.IntStream.range(0,100000).filter(x -> x % 3 == 0).mapToLong(x -> (long) x * x).sum());
    }
}
