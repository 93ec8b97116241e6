import java.math.*;
public class BigNumbers {
    public static void main(String[] a) {
        BigInteger f = BigInteger.ONE;
        for (int i=1;i<=50;i++) f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f + " " + f.bitLength() + " " + f.mod(BigInteger.valueOf(1000007)) + " " + f.toString(16));
        System.out.println(new BigInteger("123456789012345678901234567890").pow(5) + " " + BigInteger.TWO.modPow(new BigInteger("1000"), new BigInteger("1000000007")) + " " + new BigInteger("97").isProbablePrime(20) + " " + BigInteger.valueOf(48).gcd(BigInteger.valueOf(36)) + " " + new BigInteger("-17").divide(BigInteger.valueOf(5)) + new BigInteger("-17").remainder(BigInteger.valueOf(5)));
        System.out.println(new BigInteger("123456789").sqrt() + " " + BigInteger.valueOf(5).shiftLeft(100) + " " + new BigInteger("ff",16).not() + " " + BigInteger.TEN.modInverse(BigInteger.valueOf(7)) + " " + new BigInteger("100").nextProbablePrime());
        BigDecimal x = new BigDecimal("10"), y = new BigDecimal("3");
        System.out.println(x.divide(y, 20, RoundingMode.HALF_UP) + " " + x.divide(y, MathContext.DECIMAL64) + " " + new BigDecimal("1.10").equals(new BigDecimal("1.1")) + new BigDecimal("1.10").compareTo(new BigDecimal("1.1")) + " " + new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + new BigDecimal("1E+3").toPlainString() + new BigDecimal("123.4500").stripTrailingZeros().scale());
        try {
            x.divide(y);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            BigInteger.ONE.divide(BigInteger.ZERO);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        for (RoundingMode m : RoundingMode.values()) if (m != RoundingMode.UNNECESSARY) System.out.print(m + "=" + new BigDecimal("-2.5").setScale(0, m) + " ");
        System.out.println();
        System.out.println(new BigDecimal("2").sqrt(new MathContext(50)) + " " + new BigDecimal("123.456").precision() + new BigDecimal("1e400").doubleValue() + " " + new BigDecimal("0.00000001"));
        BigInteger p = BigInteger.ONE.shiftLeft(2000).subtract(BigInteger.ONE);
        System.out.println(p.multiply(p).toString().length() + " " + p.multiply(p).divide(p).equals(p) + " " + p.hashCode());
    }
}
