import java.util.*;

/** equals, hashCode, toString, clone, and the Objects class. */
public class Objects1 implements Cloneable {
    int number;
    int[] data = {1, 2};
    Objects1(int n) { number = n; }
    @Override protected Objects1 clone() throws CloneNotSupportedException { Objects1 o = (Objects1) super.clone(); o.data = data.clone(); return o; }
    @Override public boolean equals(Object o) { return this == o || o instanceof Objects1 && ((Objects1) o).number == number; }
    @Override public int hashCode() { return Objects.hash(number, "x"); }

    static class Plain {}

    public static void main(String[] args) throws Exception {
        Objects1 a = new Objects1(5), b = a.clone();
        b.data[0] = 99;
        System.out.println(a.equals(b) + " " + (a == b) + " " + a.data[0] + " " + a.hashCode() + " " + a.getClass().getName());
        System.out.println(Objects.equals(null, null) + " " + Objects.hash(1, 2, 3) + " " + Objects.toString(null, "def") + " " + Objects.hashCode(null) + " " + Objects.requireNonNullElse(null, 7));
        try {
            Objects.requireNonNull(null, "message");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        Plain p = new Plain(), q = new Plain();
        System.out.println(p.equals(q) + " " + p.equals(p) + " " + (p.hashCode() == p.hashCode()) + " " + p.toString().startsWith("Objects1$Plain@") + " " + (System.identityHashCode(p) == p.hashCode()));
        Map<Plain, String> identity = new IdentityHashMap<>();
        identity.put(p, "p");
        identity.put(q, "q");
        System.out.println(identity.get(p) + identity.get(q) + identity.size());
        try {
            Objects.checkIndex(5, 3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(List.of(1, 2).equals(Arrays.asList(1, 2)) + " " + new HashSet<>(List.of(1)).equals(Set.of(1)) + " " + Map.of(1, 2).hashCode());
        Object[] os = {1, 'a', "s", 2.0, 3L, null, new int[0].length};
        for (Object o : os) System.out.print((o == null ? "null" : o.getClass().getSimpleName()) + " ");
        System.out.println();
        Object o = new Object();
        synchronized (o) { synchronized (o) { System.out.println(Thread.holdsLock(o)); } }
        System.out.println(Thread.holdsLock(o) + " " + Thread.currentThread().getName());
        try {
            o.notify();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
