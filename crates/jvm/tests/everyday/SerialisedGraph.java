//@ class natives
//@ verdict ok

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Objects, a record and an array are written to bytes and read again. */
public class SerialisedGraph {
    record Point(int x, String name) implements Serializable { }

    enum Colour { RED, BLUE }

    static class Base {
        int b = 1;

        Base() {
            b = 2;
        }
    }

    static class Node extends Base implements Serializable {
        private static final long serialVersionUID = 1;
        final int value;
        transient int skipped = 5;
        Node next;
        List<String> names = new ArrayList<>();
        Colour colour = Colour.BLUE;
        Map<String, Integer> counts = new HashMap<>();

        Node(int value) {
            this.value = value;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(77);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            skipped = in.readInt();
        }
    }

    static void same(Object is, Object should) {
        if (!is.equals(should)) {
            throw new AssertionError(is + " is not " + should);
        }
    }

    public static void main(String[] args) throws Exception {
        Node a = new Node(3);
        a.next = a;
        a.names.add("n");
        a.counts.put("k", 4);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(a);
            out.writeObject(new Point(1, "p"));
            out.writeObject(new int[] {1, 2});
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Node b = (Node) in.readObject();
            same(b.value + " " + b.skipped + " " + (b.next == b) + " " + b.b, "3 77 true 2");
            same(b.names + " " + b.colour + " " + b.counts, "[n] BLUE {k=4}");
            same(in.readObject(), new Point(1, "p"));
            same(Arrays.toString((int[]) in.readObject()), "[1, 2]");
        }
    }
}
