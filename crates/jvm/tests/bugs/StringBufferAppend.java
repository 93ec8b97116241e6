//@ switches 2
/**
 * The row StringBuffer of table 1: appending another buffer asks for its length first and copies
 * later. Today's library copies what is left, and the rest is made of zeros.
 */
public class StringBufferAppend {
    public static void main(String[] args) {
        StringBuffer target = new StringBuffer("x");
        StringBuffer source = new StringBuffer("yz");
        new Thread(() -> source.setLength(0)).start();
        if (args.length > 0) {
            target.append(source.toString());
        } else {
            target.append(source);
        }
        String result = target.toString();
        assert result.equals("x") || result.equals("xyz") : "half a copy"; //~ assertion
    }
}
