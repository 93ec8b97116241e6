//@ class hidden
//@ verdict bug
import java.util.concurrent.atomic.AtomicReference;

/** Sealed types, records, patterns and switches, and a lost update. */
public class SealedShapes {
    sealed interface Shape permits Circle, Square { }

    record Circle(int radius) implements Shape { }

    record Square(int side) implements Shape { }

    static int size(Shape shape) {
        if (shape instanceof Circle circle) {
            return circle.radius();
        }
        return switch (shape.getClass().getSimpleName()) {
            case "Square" -> ((Square) shape).side();
            default -> throw new IllegalArgumentException();
        };
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicReference<Shape> shape = new AtomicReference<>(new Circle(1));
        Thread other = new Thread(() -> shape.set(new Square(size(shape.get()) + 1)));
        other.start();
        shape.set(new Circle(size(shape.get()) + 1));
        other.join();
        assert size(shape.get()) == 3; //~ assertion
    }
}
