import java.util.*;
import java.security.*;
import java.nio.charset.*;
public class Digests {
    public static void main(String[] a) throws Exception {
        System.out.println(UUID.nameUUIDFromBytes("hello".getBytes(StandardCharsets.UTF_8)));
        System.out.println(UUID.fromString("123e4567-e89b-12d3-a456-426614174000").version());
        for (String alg : new String[]{"MD5","SHA-1","SHA-256","SHA-512"}) {
            byte[] d = MessageDigest.getInstance(alg).digest("hello".getBytes());
            StringBuilder sb = new StringBuilder();
            for (byte b : d) sb.append(String.format("%02x", b));
            System.out.println(alg + " " + sb);
        }
        System.out.println(HexFormat.of().formatHex(new byte[]{1,(byte)0xab}));
        try {
            MessageDigest.getInstance("NOPE");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
    }
}
