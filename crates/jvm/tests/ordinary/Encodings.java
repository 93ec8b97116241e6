import java.util.*;
import java.util.zip.*;
import java.nio.charset.*;
public class Encodings {
    public static void main(String[] a) throws Exception {
        System.out.println(Base64.getEncoder().encodeToString("hello wörld".getBytes(StandardCharsets.UTF_8)) + new String(Base64.getDecoder().decode("aGk="), StandardCharsets.US_ASCII) + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[]{-1,-2}) + Base64.getMimeEncoder().encodeToString(new byte[100]).length());
        try {
            Base64.getDecoder().decode("***");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        CRC32 c = new CRC32();
        c.update("hello".getBytes());
        System.out.println(Long.toHexString(c.getValue()));
        Adler32 ad = new Adler32();
        ad.update("hello".getBytes());
        System.out.println(ad.getValue());
        for (Charset cs : new Charset[]{StandardCharsets.UTF_8, StandardCharsets.UTF_16, StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII, StandardCharsets.UTF_16LE}) System.out.println(cs + Arrays.toString("aé€😀".getBytes(cs)) + new String("aé€😀".getBytes(cs), cs));
        System.out.println(Charset.defaultCharset() + " " + Charset.forName("UTF-8") + " " + Charset.isSupported("windows-1252"));
        System.out.println(Arrays.toString("é".getBytes("windows-1252")));
        try {
            "x".getBytes("nope");
        } catch (java.io.UnsupportedEncodingException e) {
            System.out.println(e);
        }
    }
}
