public class ExactMath {
    public static void main(String[] a) {
        for (Runnable r : new Runnable[]{ () -> Math.addExact(Integer.MAX_VALUE,1), () -> Math.multiplyExact(1L<<40,1L<<40), () -> Math.toIntExact(1L<<33), () -> Math.negateExact(Integer.MIN_VALUE), () -> Math.incrementExact(Integer.MAX_VALUE), () -> Math.subtractExact(Integer.MIN_VALUE,1), () -> { int x = 0; System.out.println(1/x); }, () -> { long x = 0; System.out.println(1%x); } }) try {
            r.run();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Math.abs(Integer.MIN_VALUE) + " " + Integer.MIN_VALUE / -1 + " " + Integer.MIN_VALUE % -1 + " " + Math.multiplyHigh(1L<<62, 8) + " " + StrictMath.sin(1) + StrictMath.pow(3, 2.5) + StrictMath.log(10));
        System.out.println(Math.absExact(-5) + Math.floorMod(-7L,3) + Math.multiplyFull(1<<30,4) + " " + Math.round(-0.5) + Math.round(0.49999999999999994) + Math.round(2.5f) + Math.round(Double.MAX_VALUE));
    }
}
