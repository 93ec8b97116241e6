import java.util.*;
public class SealedRecords {
    sealed interface Shape permits Circle, Sq, Rect {}
    record Circle(double r) implements Shape {}
    record Sq(double s) implements Shape {}
    static final class Rect implements Shape {
        double w=2,h=3;
    }
    record Pt<T extends Comparable<T>>(T x, T y) implements Comparable<Pt<T>> {
        static int made;
        Pt {
            Objects.requireNonNull(x);
            made++;
        }
        Pt(T v) {
            this(v,v);
        }
        T max() {
            return x.compareTo(y) > 0 ? x : y;
        }
        public int compareTo(Pt<T> o) {
            return x.compareTo(o.x);
        }
    }
    record R(int a, long b, double c, float d, char e, boolean f, byte g, short h, String s, int[] arr) {}
    static double area(Shape s) {
        if (s instanceof Circle c) return Math.PI*c.r()*c.r();
        else if (s instanceof Sq q && q.s() > 0) return q.s()*q.s();
        else if (s instanceof Rect r) return r.w*r.h;
        return 0;
    }
    public static void main(String[] a) {
        for (Shape s : List.of(new Circle(1), new Sq(2), new Rect())) System.out.printf("%.2f %s%n", area(s), s instanceof Record);
        System.out.println(new Circle(1.5) + " " + new Circle(1.5).equals(new Circle(1.5)) + new Circle(1.5).hashCode() + " " + new Pt<>("a","b") + new Pt<>(3).max() + Pt.made + new Pt<>(1,2).compareTo(new Pt<>(2)) + new Pt<>(1,2).hashCode());
        try {
            new Pt<Integer>(null, 1);
        } catch (NullPointerException e) {
            System.out.println("npe " + e.getMessage());
        }
        R r = new R(1,2,3,4,'e',true,(byte)7,(short)8,"s",null);
        System.out.println(r + " " + r.hashCode() + r.equals(new R(1,2,3,4,'e',true,(byte)7,(short)8,"s",null)) + new R(0,0,Double.NaN,0,'x',false,(byte)0,(short)0,null,null).equals(new R(0,0,Double.NaN,0,'x',false,(byte)0,(short)0,null,null)));
        System.out.println(Arrays.toString(R.class.getRecordComponents()));
        record Local(int q) {
            int twice() {
                return q*2;
            }
        }
        System.out.println(new Local(4).twice() + " " + new Local(4));
        System.out.println(Shape.class.isSealed() + " " + Arrays.toString(Shape.class.getPermittedSubclasses()));
    }
}
