import java.util.*;
public class ErrorMessages {
    static int depth;
    static void inf() {
        depth++;
        inf();
    }
    public static void main(String[] a) {
        try {
            inf();
        } catch (StackOverflowError e) {
            System.out.println("so " + (depth > 500));
        }
        try {
            int[] x = new int[Integer.MAX_VALUE];
            System.out.println(x.length);
        } catch (OutOfMemoryError e) {
            System.out.println("oom " + e.getMessage());
        }
        try {
            throw new Error("custom");
        } catch (Error e) {
            System.out.println(e);
        }
        try {
            Object o = List.of(1);
            ((List<String>) o).get(0).length();
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        try {
            Object x = new int[]{1};
            Object[] y = (Object[]) x;
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        try {
            Iterator<Integer> it = new ArrayList<>(List.of(1,2)).iterator();
            it.remove();
        } catch (IllegalStateException e) {
            System.out.println(e);
        }
        try {
            new HashMap<>(Map.of(1,2)).entrySet().iterator().next().setValue(3);
            Map<Integer,Integer> m = new HashMap<>();
            m.put(1,1);
            m.put(2,2);
            for (int k : m.keySet()) m.put(k+10,1);
        } catch (ConcurrentModificationException e) {
            System.out.println(e);
        }
        try {
            Thread t = new Thread();
            t.setPriority(11);
        } catch (IllegalArgumentException e) {
            System.out.println(e);
        }
        try {
            new Object().wait();
        } catch (IllegalMonitorStateException | InterruptedException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Object().notify();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            Thread.sleep(-1);
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
    }
}
