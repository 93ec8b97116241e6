//@ class races
//@ verdict ok
//@ racy
// Final fields, and what they lead to, are safe to read however the reference came.
public class FinalPathHandedOnPlainly {
    static class Table {
        final int[] cells = {1, 2, 3};
        final String name = new String("table");
        final Integer size = 1000;
    }

    static Table table;

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(() -> table = new Table()); //~ race
        maker.start();
        Table found = table; //~ race
        if (found != null) {
            assert found.cells[2] == 3;
            assert found.name.length() == 5;
            assert found.size == 1000;
        }
        maker.join();
    }
}
