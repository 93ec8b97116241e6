import java.util.*;
public class Messages {
    public static void main(String[] a) {
        System.out.println(Objects.toString(System.getProperty("java.version").split("\\.")[0]));
        Map<String,Integer> m = new LinkedHashMap<>();
        m.put("x",1);
        for (var e : m.entrySet()) e.setValue(e.getValue()+1);
        System.out.println(m);
        long t0 = System.nanoTime();
        long t1 = System.nanoTime();
        System.out.println(t1 >= t0);
        System.out.println(System.currentTimeMillis() > 1600000000000L);
        Runtime r = Runtime.getRuntime();
        System.out.println(r.maxMemory() >= r.totalMemory() - r.freeMemory());
        System.out.println(Thread.currentThread().getName() + Thread.currentThread().getPriority());
        int[] src = {1,2,3,4,5};
        System.arraycopy(src,0,src,1,4);
        System.out.println(Arrays.toString(src));
        try {
            System.arraycopy(src,0,new long[5],0,1);
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.arraycopy(src,3,src,0,5);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        Object o1 = new Object(), o2 = o1;
        System.out.println(System.identityHashCode(o1) == System.identityHashCode(o2));
        UUID u = UUID.fromString("00000000-0000-0001-0000-000000000002");
        System.out.println(u.getMostSignificantBits() + " " + u.getLeastSignificantBits() + u);
        System.out.println(UUID.randomUUID().toString().length());
        System.out.println(new Date(1700000000000L));
        System.out.println(String.valueOf((Object) null) + String.valueOf(3.0f) + String.valueOf(new char[]{'o','k'}));
        Properties p = new Properties();
        p.setProperty("a","1");
        p.list(System.out);
        System.out.println(p);
        StringBuilder sb = new StringBuilder();
        Formatter f = new Formatter(sb);
        f.format("%-10s|%5.1f|%b", "left", 2.25, true);
        f.close();
        System.out.println(sb);
        BitSet b = BitSet.valueOf(new long[]{0b1011});
        b.flip(0,3);
        System.out.println(b + "" + b.get(2) + b.previousSetBit(10));
        System.out.println(Integer.toString(Integer.MIN_VALUE) + Integer.toString(-255,16) + Long.parseLong("-9223372036854775808") + Integer.parseInt("+5") + Integer.toUnsignedString(-1));
        try {
            Integer.parseInt("2147483648");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        try {
            Integer.parseInt(" 5");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Scanner("abc").nextInt();
        } catch (InputMismatchException e) {
            System.out.println(e.getMessage());
        }
        try {
            List.of(1,2).iterator().remove();
        } catch (UnsupportedOperationException e) {
            System.out.println("uoe");
        }
        try {
            new ArrayList<>(List.of(1)).listIterator().set(2);
        } catch (IllegalStateException e) {
            System.out.println("ise");
        }
        try {
            Collections.emptyList().get(0);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            new int[]{1}.clone()[1]++;
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            "abc".substring(2,1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            Character.toChars(0x110000);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            new PriorityQueue<Object>(List.of(new Object(), new Object()));
        } catch (ClassCastException e) {
            System.out.println("cce");
        }
        try {
            Optional.of(null);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            Enum.valueOf(Thread.State.class, null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            Objects.checkFromToIndex(2,1,5);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            throw new Exception() {
                @Override public String getMessage() {
                    return "anon";
                }
            };
        } catch (Exception e) {
            System.out.println(e.getMessage() + e.getClass().getName());
        }
        try {
            Arrays.asList(1,2).remove(0);
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        try {
            Arrays.copyOf(new int[1], -1);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Random().nextInt(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Thread.currentThread().join(-1);
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        try {
            new StringBuilder().insert(1,"x");
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            "x".charAt(-1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            String.format("%d %d", 1);
        } catch (MissingFormatArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            ((Object) "s").wait();
        } catch (Exception e) {
            System.out.println(e.getClass().getSimpleName());
        }
        try {
            new TreeMap<String,Integer>().firstKey();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            Iterator<Integer> it = new TreeSet<Integer>().iterator();
            it.next();
        } catch (NoSuchElementException e) {
            System.out.println("nse");
        }
    }
}
