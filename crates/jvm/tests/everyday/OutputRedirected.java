//@ class hidden
//@ verdict bug
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** The output stream is replaced while another thread prints. */
public class OutputRedirected {
    public static void main(String[] args) throws InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream console = System.out;
        Thread other = new Thread(() -> System.setOut(new PrintStream(bytes)));
        other.start();
        System.out.print("text");
        other.join();
        System.out.flush();
        System.setOut(console);
        assert bytes.size() == 0; //~ assertion
    }
}
