//@ switches 2
/** The constructor hands the object out before its fields are set. */
public class UnsafePublication {
    static UnsafePublication published;

    private final String name;
    private int[] data;

    UnsafePublication(String name, boolean early) {
        this.name = name;
        if (early) {
            published = this;
        }
        this.data = new int[] {1, 2, 3};
    }

    int last() {
        return data[data.length - 1]; //~ exception
    }

    public static void main(String[] args) {
        boolean early = args.length == 0;
        new Thread(() -> {
            UnsafePublication made = new UnsafePublication("early", early);
            published = made;
        }).start();
        UnsafePublication seen = published;
        if (seen != null) {
            seen.last();
        }
    }
}
