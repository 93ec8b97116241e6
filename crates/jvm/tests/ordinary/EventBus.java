import java.util.*;
public class EventBus {
    interface Event {}
    record Login(String u) implements Event {}
    record Logout(String u, int secs) implements Event {}
    static class Bus {
        private final Map<Class<?>, List<java.util.function.Consumer<Object>>> m = new LinkedHashMap<>();
        <T> void on(Class<T> c, java.util.function.Consumer<? super T> f) {
            m.computeIfAbsent(c, k -> new ArrayList<>()).add(o -> f.accept(c.cast(o)));
        }
        void fire(Object o) {
            m.getOrDefault(o.getClass(), List.of()).forEach(f -> f.accept(o));
        }
    }
    public static void main(String[] a) {
        Bus b = new Bus();
        b.on(Login.class, l -> System.out.println("in " + l.u()));
        b.on(Logout.class, l -> System.out.printf("out %s after %,d s%n", l.u(), l.secs()));
        b.fire(new Login("ann"));
        b.fire(new Logout("bob", 12345));
        b.fire("ignored");
        System.out.println(new Login("x").equals(new Login("x")) + " " + new Logout("a",1).hashCode());
    }
}
