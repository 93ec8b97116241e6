import java.util.*;
public class Clones {
    static class Node implements Cloneable {
        int v;
        int[] d = {1,2};
        Node n;
        Node(int v) {
            this.v = v;
        }
        public Node clone() {
            try {
                Node c = (Node) super.clone();
                c.d = d.clone();
                return c;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }
    static class NC {
        Object c() throws CloneNotSupportedException {
            return super.clone();
        }
    }
    public static void main(String[] a) {
        Node n = new Node(3);
        Node m = n.clone();
        m.d[0] = 9;
        System.out.println(n.d[0] + "" + m.d[0] + (n.getClass() == m.getClass()));
        try {
            new NC().c();
        } catch (CloneNotSupportedException e) {
            System.out.println(e);
        }
        int[][] x = {{1},{2}};
        int[][] y = x.clone();
        y[0][0] = 7;
        y[1] = null;
        System.out.println(x[0][0] + "" + x[1][0]);
        String[] s = {"a"};
        System.out.println(s.clone()[0] + new ArrayList<>(List.of(1)).clone());
        Object o = new Object();
        System.out.println((o.hashCode() == o.hashCode()) + "" + (o.hashCode() == System.identityHashCode(o)) + o.equals(o) + o.toString().startsWith("java.lang.Object@") + System.identityHashCode(null));
        System.out.println(new int[0].toString().startsWith("[I@") + "" + new String[0].getClass().getName() + (o.hashCode() != new Object().hashCode()));
        System.out.println(new HashSet<>(List.of(new ArrayList<>(List.of(1)), new LinkedList<>(List.of(1)))).size());
    }
}
