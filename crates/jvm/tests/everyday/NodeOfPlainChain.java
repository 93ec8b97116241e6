//@ class races
//@ verdict ok
//@ racy
// The second node is reached by way of the first; both were filled by their maker alone.
public class NodeOfPlainChain {
    static class Node {
        int value;
        Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    static Node head;

    public static void main(String[] args) throws InterruptedException {
        Thread maker = new Thread(() -> {
            head = new Node(1, new Node(2, null)); //~ race
        });
        Thread reader = new Thread(() -> {
            Node first = head; //~ race
            if (first != null) {
                Node second = first.next; //~ race
                int sum = first.value + second.value; //~ race
                assert sum == 3;
            }
        });
        maker.start();
        reader.start();
        maker.join();
        reader.join();
    }
}
