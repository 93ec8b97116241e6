import java.io.*;
import java.util.*;
public class Serialisation {
    static class Shape implements Serializable {
        String n = "s";
        private void writeObject(ObjectOutputStream o) throws IOException {
            o.defaultWriteObject();
            o.writeInt(7);
        }
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException {
            i.defaultReadObject();
            n += i.readInt();
        }
    }
    static class Ext implements Externalizable {
        int v;
        public Ext() {}
        Ext(int v) {
            this.v = v;
        }
        public void writeExternal(ObjectOutput o) throws IOException {
            o.writeInt(v * 2);
        }
        public void readExternal(ObjectInput i) throws IOException {
            v = i.readInt();
        }
    }
    static class Single implements Serializable {
        static final Single I = new Single();
        private Object readResolve() {
            return I;
        }
    }
    public static void main(String[] a) throws Exception {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        try (ObjectOutputStream o = new ObjectOutputStream(b)) {
            o.writeObject(new Shape());
            o.writeObject(new Ext(21));
            o.writeObject(Single.I);
            o.writeObject(new int[][]{{1,2},{3}});
            o.writeObject(new ArrayList<>(List.of("x","y")));
            o.writeObject(new TreeMap<>(Map.of(1,"a")));
        }
        try (ObjectInputStream i = new ObjectInputStream(new ByteArrayInputStream(b.toByteArray()))) {
            System.out.println(((Shape) i.readObject()).n + ((Ext) i.readObject()).v + (i.readObject() == Single.I) + Arrays.deepToString((int[][]) i.readObject()) + i.readObject() + i.readObject());
            try {
                i.readObject();
            } catch (EOFException e) {
                System.out.println("eof");
            }
        }
    }
}
