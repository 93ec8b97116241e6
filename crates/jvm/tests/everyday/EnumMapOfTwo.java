//@ class natives
//@ verdict bug
import java.util.EnumMap;

/** The size of an `EnumMap` is counted without a lock. */
public class EnumMapOfTwo {
    enum Colour { RED, GREEN }

    public static void main(String[] args) throws InterruptedException {
        EnumMap<Colour, Integer> map = new EnumMap<>(Colour.class);
        Thread other = new Thread(() -> map.put(Colour.RED, 1));
        other.start();
        map.put(Colour.GREEN, 2);
        other.join();
        assert map.get(Colour.RED) == 1 && map.get(Colour.GREEN) == 2;
        assert map.size() == 2; //~ assertion
    }
}
