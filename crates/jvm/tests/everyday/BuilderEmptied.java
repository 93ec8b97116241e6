//@ class natives
//@ verdict bug
/** The text of a builder is taken while another thread empties it. */
public class BuilderEmptied {
    static final StringBuilder builder = new StringBuilder("sixteen letters!");

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> builder.setLength(0));
        other.start();
        String text = builder.toString();
        other.join();
        assert text.length() == 16; //~ assertion
    }
}
