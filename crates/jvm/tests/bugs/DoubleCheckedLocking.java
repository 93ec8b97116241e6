//@ switches 2
/** The object is there for all before it is complete. */
public class DoubleCheckedLocking {
    static final class Table {
        int[] entries;

        Table load() {
            entries = new int[] {3, 5, 8};
            return this;
        }
    }

    private static volatile Table table;

    static Table table(boolean fixed) {
        if (table == null) {
            synchronized (DoubleCheckedLocking.class) {
                if (table == null) {
                    if (fixed) {
                        table = new Table().load();
                    } else {
                        table = new Table();
                        table.load();
                    }
                }
            }
        }
        return table;
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 0;
        for (int number = 0; number < 2; number++) {
            new Thread(() -> {
                int first = table(fixed).entries[0]; //~ exception
            }).start();
        }
    }
}
