/** Pairs of a thread that reads a field and one that writes it, each pair with a field of its own. */
public class ReaderWriterPairs {
    int field;

    public static void main(String[] args) {
        for (int pair = Integer.parseInt(args[0]); pair > 0; pair--) {
            ReaderWriterPairs own = new ReaderWriterPairs();
            new Thread(() -> {
                int seen = own.field;
            }).start();
            new Thread(() -> own.field = 1).start();
        }
    }
}
