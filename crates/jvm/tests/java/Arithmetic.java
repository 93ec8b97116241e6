/** Corner cases of integer and floating-point arithmetic. */
public class Arithmetic {
    static int min = Integer.MIN_VALUE, minusOne = -1;
    static long lmin = Long.MIN_VALUE;

    public static void main(String[] args) {
        System.out.println(min / minusOne + " " + min % minusOne + " " + -min + " " + Math.abs(min));
        System.out.println(lmin / -1 + " " + lmin % -1 + " " + -lmin + " " + (lmin - 1));
        System.out.println(7 / 2 + " " + -7 / 2 + " " + 7 % -2 + " " + -7 % 2 + " " + Math.floorMod(-7, 2) + " " + Math.floorDiv(-7, 2));
        int shift = 33;
        System.out.println((1 << shift) + " " + (-1 >>> shift) + " " + (-8 >> 1) + " " + (-8 >>> 28) + " " + (1L << 65) + " " + (-1L >>> 60));
        System.out.println((byte) 200 + " " + (short) 70000 + " " + (char) 65601 + " " + (int) 3_000_000_000L + " " + (byte) -129);
        System.out.println((int) 1e20 + " " + (int) -1e20 + " " + (int) Double.NaN + " " + (long) 1e30 + " " + (long) Float.NEGATIVE_INFINITY + " " + (char) 1e10 + "|" + (byte) 300.7);
        System.out.println(0.1 + 0.2 + " " + (0.1f + 0.2f) + " " + 1.0 / 0 + " " + -1.0 / 0 + " " + 0.0 / 0 + " " + 5.5 % 2 + " " + -5.5 % 2);
        double nan = Double.NaN;
        System.out.println((nan == nan) + " " + (nan < 1) + " " + (nan > 1) + " " + !(nan >= 1) + " " + Double.compare(nan, 1) + " " + Double.valueOf(nan).equals(nan));
        System.out.println((0.0 == -0.0) + " " + Double.compare(0.0, -0.0) + " " + 1 / -0.0 + " " + Math.min(0.0, -0.0));
        System.out.println(Float.MIN_VALUE + " " + Float.MAX_VALUE + " " + Double.MIN_VALUE + " " + Double.MAX_VALUE + " " + (float) 1e40 + " " + (float) 1e-50);
        System.out.println((float) 0.1 + " " + (double) 0.1f + " " + 100.0f / 3 + " " + 1e7 + " " + 1.0E-5 + " " + 123456789.0f + " " + 1e21 + " " + 0.001);
        System.out.println((long) 1e18f + " " + (int) 16777217f + " " + (float) 16777217 + " " + (double) Long.MAX_VALUE + " " + (float) Long.MAX_VALUE);
        int i = 5;
        i += 3.7;
        i -= 'a';
        i *= 2.5;
        i <<= 2;
        i >>>= 1;
        i ^= 0xFF;
        byte b = (byte) 127;
        b++;
        short s = -32768;
        s--;
        char c = 0;
        c--;
        System.out.println(i + " " + b + " " + s + " " + (int) c);
        System.out.println(Integer.MAX_VALUE + 1 + " " + (Integer.MAX_VALUE * 2) + " " + Long.MAX_VALUE * 3 + " " + 46341 * 46341);
        System.out.println(Integer.divideUnsigned(-1, 3) + " " + Integer.remainderUnsigned(-1, 7) + " " + Long.toUnsignedString(-1) + " " + Integer.compareUnsigned(-1, 1));
        System.out.println(Math.round(2.5) + " " + Math.round(-2.5) + " " + Math.rint(2.5) + " " + Math.ceil(-0.5) + " " + Math.floor(-0.5) + " " + Math.round(0.49999999999999994) + " " + Math.round(Float.NaN));
        System.out.println(Math.sqrt(2) + " " + Math.pow(2, 0.5) + " " + Math.cbrt(27) + " " + Math.hypot(3, 4) + " " + Math.exp(1) + " " + Math.log(10) + " " + Math.log10(1000));
        System.out.println(Math.ulp(1.0) + " " + Math.nextUp(1.0) + " " + Math.signum(-3.0) + " " + Math.copySign(1, -0.0) + " " + Math.scalb(1.0, 10) + " " + Math.getExponent(1024.5));
        try {
            Math.addExact(Integer.MAX_VALUE, 1);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(5L % (lmin - lmin));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Math.multiplyHigh(Long.MAX_VALUE, Long.MAX_VALUE) + " " + Math.fma(2.0, 3.0, 1.0) + " " + Math.toIntExact(77L));
        System.out.println(Double.toHexString(1.1) + " " + Float.toHexString(-0.5f) + " " + Double.parseDouble("1e-3") + " " + Float.parseFloat("3.4e38") + " " + Double.doubleToLongBits(-0.0));
        System.out.println((5 & 3) + " " + (5 | 3) + " " + (5 ^ 3) + " " + ~5 + " " + (true ^ false) + " " + (5 > 3 & 2 > 1));
        strictSum();
    }

    static void strictSum() {
        double sum = 0;
        float fsum = 0;
        for (int i = 1; i <= 1000; i++) { sum += 1.0 / i; fsum += 1.0f / i; }
        System.out.println(sum + " " + fsum);
    }
}
