/** Bit operations of Integer and Long. */
public class BitTricks {
    public static void main(String[] args) {
        for (int n : new int[] {0, 1, -1, 12, 255, 0x12345678, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            System.out.println(n + " " + Integer.bitCount(n) + " " + Integer.highestOneBit(n) + " " + Integer.lowestOneBit(n) + " "
                + Integer.numberOfLeadingZeros(n) + " " + Integer.numberOfTrailingZeros(n) + " " + Integer.reverse(n) + " "
                + Integer.reverseBytes(n) + " " + Integer.rotateLeft(n, 5) + " " + Integer.rotateRight(n, 37) + " "
                + Integer.toBinaryString(n) + " " + Integer.toHexString(n) + " " + Integer.toOctalString(n) + " " + Integer.signum(n));
        }
        for (long n : new long[] {0, -1, 1L << 40, 0x123456789ABCDEFL, Long.MIN_VALUE}) {
            System.out.println(n + " " + Long.bitCount(n) + " " + Long.numberOfLeadingZeros(n) + " " + Long.numberOfTrailingZeros(n) + " "
                + Long.reverse(n) + " " + Long.rotateLeft(n, 13) + " " + Long.toHexString(n) + " " + Long.highestOneBit(n));
        }
        int x = 0b1011_0110;
        System.out.println((x & (x - 1)) + " " + (x & -x) + " " + (x | (x >> 1)) + " " + ((x >>> 3) & 7) + " " + (x ^ x << 1));
        int a = 5, b = 9;
        a ^= b; b ^= a; a ^= b;
        System.out.println(a + " " + b);
        long hash = 0xcbf29ce484222325L;
        for (byte c : "counterpoint".getBytes()) hash = (hash ^ c) * 0x100000001b3L;
        System.out.println(hash);
        int crc = ~0;
        for (byte c : "123456789".getBytes()) {
            crc ^= c;
            for (int k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xEDB88320 & -(crc & 1));
        }
        System.out.println(Integer.toHexString(~crc));
        System.out.println((byte) 0x80 >> 1 | 0xFF & (byte) -2);
    }
}
