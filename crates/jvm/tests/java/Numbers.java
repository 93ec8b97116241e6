import java.math.*;

/** Parsing, printing and methods of the number classes. */
public class Numbers {
    static void attempt(String text) {
        try {
            System.out.print(Integer.parseInt(text) + " ");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        for (String s : new String[] {"0", "-0", "+7", "2147483647", "-2147483648", "2147483648", "", "12a", " 1", "1_0"}) attempt(s);
        System.out.println(Integer.parseInt("zz", 36) + " " + Integer.parseInt("-1010", 2) + " " + Long.parseLong("-9223372036854775808") + " " + Integer.decode("0x1F") + " " + Integer.decode("-010"));
        System.out.println(Integer.toString(255, 16) + " " + Integer.toString(-255, 2) + " " + Long.toString(Long.MIN_VALUE, 36) + " " + Integer.toUnsignedString(-5));
        System.out.println(Integer.valueOf(7).compareTo(9) + " " + Integer.hashCode(77) + " " + Long.hashCode(1L << 33) + " " + Double.hashCode(1.5) + " " + Boolean.hashCode(true) + " " + Float.hashCode(1f));
        System.out.println(Integer.max(3, 4) + " " + Integer.sum(1, 2) + " " + Long.compare(1, 2) + " " + Byte.parseByte("-128") + " " + Short.parseShort("77") + " " + Boolean.parseBoolean("TRUE"));
        System.out.println(Double.parseDouble("  1.5e3 ") + " " + Double.valueOf("-Infinity") + " " + Double.parseDouble("0x1.8p1") + " " + Double.isNaN(Double.parseDouble("NaN")) + " " + Float.parseFloat("1e-46"));
        for (double d : new double[] {0.1, 1.0, 100, 1234567.0, 12345678.9, 1e-3, 1e-4, 9.999999e22, 2.2250738585072014E-308, 4.9e-324, 1.7976931348623157e308, 3.0e-5, 123456.789e3}) System.out.print(d + " ");
        System.out.println();
        for (float f : new float[] {0.1f, 3.4028235e38f, 1.4e-45f, 16777216f, 1.0e10f, 0.33333334f}) System.out.print(f + " ");
        System.out.println();
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 30; i++) f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f + " " + f.mod(BigInteger.valueOf(1_000_007)) + " " + BigInteger.TWO.pow(100) + " " + new BigInteger("-123456789012345678901234567890").negate().bitLength());
        System.out.println(new BigInteger("1000000007").isProbablePrime(20) + " " + BigInteger.valueOf(48).gcd(BigInteger.valueOf(36)) + " " + BigInteger.valueOf(3).modPow(BigInteger.valueOf(200), BigInteger.valueOf(13)));
        System.out.println(new BigDecimal("1.10").add(new BigDecimal("2.205")) + " " + new BigDecimal("10").divide(new BigDecimal("3"), 5, RoundingMode.HALF_UP) + " " + new BigDecimal("1.10").equals(new BigDecimal("1.1")) + " " + new BigDecimal("123.456").setScale(1, RoundingMode.DOWN));
        System.out.println(Character.getNumericValue('7') + " " + Character.toUpperCase('q') + " " + Character.isWhitespace('\t') + " " + Character.toChars(0x1F600).length + " " + Character.isLetterOrDigit('_') + " " + Character.MAX_VALUE + 0);
        System.out.println(((Number) 3.9).intValue() + " " + Double.valueOf(3.9).longValue() + " " + Integer.valueOf(300).byteValue() + " " + Long.numberOfTrailingZeros(8));
        System.out.println((Object) Integer.valueOf(5) == (Object) Integer.valueOf(5) ? "cached" : "new");
    }
}
