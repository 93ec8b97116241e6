public class NumberCorners {
    public static void main(String[] a) {
        System.out.println(0.1+0.2);
        System.out.println(1.0/0 + " " + -1.0/0 + " " + 0.0/0 + " " + (0.0 == -0.0) + Double.valueOf(0.0).equals(-0.0) + (Double.NaN == Double.NaN) + Double.compare(Double.NaN,1) + Double.MIN_VALUE + Double.MAX_VALUE + Float.MIN_VALUE + Float.MAX_VALUE);
        System.out.println(100.0 + " " + 1e7 + " " + 1.0E-3 + " " + 0.0001 + " " + 123456789.0 + " " + 1e21 + " " + 1e22 + " " + 2e23 + " " + 4.35 + " " + 1.1f + " " + 3.4e10f + " " + 16777216f + " " + 1e-5f + " " + 9007199254740993.0 + " " + 5e-324 + " " + 2.2250738585072014E-308 + " " + 8.41E21 + " " + 2.0E-3);
        System.out.println((int)3.99 + " " + (int)-3.99 + " " + (int)Double.NaN + " " + (int)1e20 + " " + (long)-1e30 + " " + (int)Float.POSITIVE_INFINITY + " " + (byte)300 + " " + (short)70000 + " " + (char)65 + " " + (int)'z' + " " + (byte)-129 + " " + (char)-1 + " " + (float)1e40 + " " + (float)0.1 + " " + (double)0.1f + " " + (long)3.5f + (byte)3.7 + (char)97.5);
        System.out.println((1 << 31) + " " + (1 << 32) + " " + (1 << -1) + " " + (-1 >>> 1) + " " + (-1 >> 1) + " " + (1L << 63) + " " + (-1L >>> 60) + " " + (-17 >> 2) + " " + (-17 >>> 28) + " " + (5 & 3 | 4 ^ 1) + " " + ~7 + " " + (-7 / 2) + (-7 % 2) + (7 % -2) + (-7.5 % 2));
        System.out.println(Integer.MAX_VALUE + 1 + " " + (Long.MAX_VALUE + 1) + " " + Integer.toBinaryString(-8) + Integer.toHexString(-1) + Integer.toOctalString(8) + Integer.parseInt("-7f",16) + Integer.toString(255,36) + Integer.reverse(1) + Integer.bitCount(255) + Integer.highestOneBit(100) + Integer.numberOfLeadingZeros(1) + Integer.numberOfTrailingZeros(8) + Integer.rotateLeft(1,33) + Integer.signum(-5) + Integer.reverseBytes(1) + Integer.compareUnsigned(-1,1) + Integer.toUnsignedString(-1) + Integer.divideUnsigned(-1,2) + Integer.parseUnsignedInt("4294967295") + Long.toString(-1L,2) + Long.numberOfTrailingZeros(0) + Long.toUnsignedString(-1L) + Long.hashCode(1L<<32) + Double.hashCode(1.5) + Boolean.hashCode(true) + Character.hashCode('a') + Float.floatToIntBits(1.5f) + Double.doubleToLongBits(-0.0) + Double.longBitsToDouble(0x7ff8000000000001L) + Float.intBitsToFloat(1) + Double.toHexString(0.1) + Double.parseDouble("0x1p3") + Double.parseDouble("1e-400") + Double.parseDouble("  12.5d ") + Double.parseDouble("Infinity") + Float.parseFloat("1e50") + Integer.decode("0x10") + Integer.decode("-010") + Integer.valueOf("12") + Short.parseShort("12") + Byte.parseByte("-128") + Boolean.parseBoolean("TRUE") + Byte.toUnsignedInt((byte)-1) + Short.reverseBytes((short)1));
        try {
            Byte.parseByte("128");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        float f = 0;
        for (int i=0;i<10;i++) f += 0.1f;
        System.out.println(f);
        double d = 0;
        for (int i=0;i<10;i++) d += 0.1;
        System.out.println(d);
        System.out.println(0x1.8p1 + 1_000_000 + 0b1010 + 017 + 'A' + 1e0f + 0xFFFFFFFFL);
        System.out.println(Double.isNaN(0/0.0) + "" + Double.isInfinite(1/0.0) + Double.isFinite(1) + Double.toString(1) + Float.toString(1e10f) + Double.MIN_NORMAL + Double.sum(1,2) + Float.compare(0f,-0f));
        long big = 1L<<53;
        System.out.println((double)(big+1) + " " + (float)16777217 + " " + (int)(float)Integer.MAX_VALUE + (long)(double)Long.MAX_VALUE);
    }
}
