/** Messages of null pointer exceptions. */
public class NullPointers {
    NullPointers next; int value; int[] data; static NullPointers root; String name; int[][] grid; long wide;
    NullPointers get(int n) { return null; }
    static NullPointers make(String s, int[] a) { return null; }
    interface R { void go(); }
    static void t(R r) { try { r.go(); } catch (NullPointerException e) { System.out.println(e.getMessage()); } }
    public static void main(String[] args) {
        NullPointers local = null; NullPointers ok = new NullPointers(); int i = 3; int[] arr = null; String[] names = new String[5]; Object lock = null; Throwable thrown = null; Integer boxed = null; long[] longs = null;
        t(() -> local.value = 1); t(() -> System.out.println(local.value)); t(() -> local.get(1)); t(() -> ok.next.value++);
        t(() -> ok.next.next.get(2)); t(() -> root.value = 4); t(() -> ok.get(5).value = 1); t(() -> make("x", null).name.length());
        t(() -> arr[0] = 1); t(() -> System.out.println(arr[i])); t(() -> System.out.println(arr.length)); t(() -> names[2].length());
        t(() -> names[i + 1].length()); t(() -> { synchronized (lock) { } }); t(() -> { throw (RuntimeException) thrown; });
        t(() -> { int x = boxed; }); t(() -> ok.data[1] = 2); t(() -> ok.grid[1][2] = 2); t(() -> longs[0]++); t(() -> ((NullPointers) null).get(1));
        t(() -> { throw new NullPointerException(); }); t(() -> { throw new NullPointerException("own"); });
        t(() -> java.util.Objects.requireNonNull(null)); t(() -> local.wide = 5L); t(() -> ok.name.chars()); t(() -> ((String) null).isEmpty());
        t(() -> { for (String s : (String[]) null) { } }); t(() -> { switch ((String) null) { case "a": } }); t(() -> ok.get(i).get(i * 2).get(3));
        try { NullPointers a = null; a.value = 2; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { double d = 1; NullPointers b = null; b.get((int) d); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { args = null; System.out.println(args.length); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        new NullPointers().self();
    }
    void self() { try { this.next.self(); } catch (NullPointerException e) { System.out.println(e.getMessage()); } try { data[value]++; } catch (NullPointerException e) { System.out.println(e.getMessage()); }
     char[] cs = null; byte[] bs = null; float[] fs = null; Object[] os = null; try { cs[1] = 'c'; } catch (NullPointerException e) { System.out.println(e.getMessage()); } try { bs[1] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); } try { fs[1] = 1; } catch (NullPointerException e) { System.out.println(e.getMessage()); } try { os[1] = ""; } catch (NullPointerException e) { System.out.println(e.getMessage()); } try { Object o = os[0]; } catch (NullPointerException e) { System.out.println(e.getMessage()); } }
}
