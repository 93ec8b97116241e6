/** The same over objects, with anonymous threads. */
public class LastZeroCells {
    static final class Cell {
        int value;
    }

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        final Cell[] cells = new Cell[count + 1];
        for (int number = 0; number <= count; number++) {
            cells[number] = new Cell();
        }
        new Thread() {
            @Override
            public void run() {
                for (int index = cells.length - 1; cells[index].value != 0; index--) {
                }
            }
        }.start();
        for (int number = 1; number <= count; number++) {
            final Cell before = cells[number - 1];
            final Cell own = cells[number];
            new Thread(new Runnable() {
                @Override
                public void run() {
                    own.value = before.value + 1;
                }
            }).start();
        }
    }
}
