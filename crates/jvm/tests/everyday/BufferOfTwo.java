//@ class natives
//@ verdict ok
/** A string buffer takes care of that. */
public class BufferOfTwo {
    static final StringBuffer log = new StringBuffer();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> log.append("bb"));
        other.start();
        log.append("aa");
        other.join();
        assert log.length() == 4;
        assert log.indexOf("aa") >= 0 && log.indexOf("bb") >= 0;
    }
}
