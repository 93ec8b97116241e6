//@ class hidden
//@ verdict bug
/** What is printed of an object changes it. */
public class TextThatCounts {
    static int texts;

    static final class Counted {
        @Override
        public String toString() {
            return "text " + texts++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Counted counted = new Counted();
        Thread other = new Thread(() -> String.format("%s", counted));
        other.start();
        String.valueOf(counted);
        other.join();
        assert texts == 2; //~ assertion
    }
}
