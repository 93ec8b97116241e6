public class Assertion {
    int value;

    void add(int amount) {
        value += amount;
    }

    public static void main(String[] args) throws InterruptedException {
        Assertion sum = new Assertion();
        Thread one = new Thread(() -> sum.add(1), "one");
        one.start();
        sum.add(2);
        one.join();
        assert sum.value == 3 : "sum " + sum.value;
    }
}
