import java.util.*;
public class Animals {
    static abstract class Animal implements Comparable<Animal> {
        protected final String name;
        private static int count;
        Animal(String n) {
            name = n;
            count++;
        }
        abstract String sound();
        public String toString() {
            return getClass().getSimpleName() + "(" + name + ")";
        }
        public int compareTo(Animal o) {
            return name.compareTo(o.name);
        }
        static int count() {
            return count;
        }
    }
    static class Dog extends Animal {
        Dog(String n) {
            super(n);
        }
        String sound() {
            return "Woof";
        }
    }
    static class Puppy extends Dog {
        Puppy(String n) {
            super(n + " jr");
        }
        @Override String sound() {
            return super.sound().toLowerCase() + "!";
        }
    }
    static class Cat extends Animal {
        Cat(String n) {
            super(n);
        }
        String sound() {
            return "Meow";
        }
    }
    public static void main(String[] args) {
        List<Animal> l = new ArrayList<>(List.of(new Dog("Rex"), new Cat("Tom"), new Puppy("Rex")));
        Collections.sort(l);
        for (Animal x : l) System.out.println(x + " " + x.sound() + " " + (x instanceof Dog) + " " + x.getClass().getSuperclass().getSimpleName());
        System.out.println(Animal.count());
        l.sort(Comparator.comparing((Animal x) -> x.sound().length()).reversed().thenComparing(Comparator.naturalOrder()));
        System.out.println(l);
        Animal an = new Animal("anon") {
            String sound() {
                return "?";
            }
        };
        System.out.println(an + "|" + an.sound());
        Object[] os = l.toArray();
        System.out.println(os.length + os.getClass().getSimpleName() + l.toArray(new Animal[0]).getClass().getSimpleName());
    }
}
