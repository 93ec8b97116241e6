//@ switches 2
/** A string builder for one thread is used by two. */
public class SharedBuilder {
    public static void main(String[] args) throws InterruptedException {
        boolean fixed = args.length > 0;
        StringBuilder builder = new StringBuilder();
        StringBuffer buffer = new StringBuffer();
        Thread other = new Thread(() -> {
            if (fixed) {
                buffer.append('b');
            } else {
                builder.append('b');
            }
        });
        other.start();
        if (fixed) {
            buffer.append('a');
        } else {
            builder.append('a');
        }
        other.join();
        int length = fixed ? buffer.length() : builder.length();
        assert length == 2; //~ assertion
    }
}
