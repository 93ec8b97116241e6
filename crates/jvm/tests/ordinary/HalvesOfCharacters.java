import java.io.File;
import java.io.IOException;

/** Halves of characters on the console, and rights that files have anyway. */
public class HalvesOfCharacters {
    public static void main(String[] arguments) throws IOException {
        String face = new StringBuilder().appendCodePoint(0x1f600).toString();
        System.out.println(face + " " + face.charAt(0) + " " + face.charAt(1) + face.charAt(0) + ".");
        System.out.println(face.charAt(1));
        System.out.println(face.toCharArray());
        System.out.println(new StringBuilder(face).reverse() + " " + face.substring(1));
        File file = File.createTempFile("rights", ".txt");
        System.out.println(file.setReadable(true) + " " + file.setWritable(true) + " " + file.canWrite());
        System.out.println(file.delete() + " " + file.setReadable(true) + " " + file.mkdir() + " " + file.setExecutable(true));
        System.out.println(file.delete());
    }
}
