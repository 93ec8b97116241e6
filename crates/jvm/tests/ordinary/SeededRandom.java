import java.util.*;
import java.util.stream.*;
public class SeededRandom {
    public static void main(String[] a) {
        Random r = new Random(42);
        System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextLong() + " " + r.nextDouble() + " " + r.nextBoolean() + " " + r.nextGaussian() + " " + r.nextFloat());
        byte[] b = new byte[5];
        r.nextBytes(b);
        System.out.println(Arrays.toString(b));
        System.out.println(r.ints(5, 0, 10).boxed().collect(Collectors.toList()) + " " + r.doubles(2).sum());
        List<Integer> l = new ArrayList<>(List.of(1,2,3,4,5,6));
        Collections.shuffle(l, new Random(7));
        System.out.println(l);
        SplittableRandom s = new SplittableRandom(1);
        System.out.println(s.nextInt(100) + " " + s.nextLong() + " " + s.split().nextInt());
        System.out.println(new Random(5).nextInt(5, 10) + " " + new Random(3).longs(2).boxed().toList());
    }
}
