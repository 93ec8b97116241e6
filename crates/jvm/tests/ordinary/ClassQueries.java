public class ClassQueries {
    public static void main(String[] a) {
        class A {
            @Override public boolean equals(Object o) {
                return o instanceof A;
            }
            @Override public int hashCode() {
                return 42;
            }
            @Override public String toString() {
                return "A!";
            }
        }
        java.util.Set<A> s = new java.util.HashSet<>();
        s.add(new A());
        s.add(new A());
        System.out.println(s + " " + s.size());
        System.out.println(Integer.toHexString(new A().hashCode()));
        System.out.println(new int[]{1}.getClass() == int[].class);
        System.out.println(A.class.getName() + A.class.isLocalClass() + new Object(){}.getClass().isAnonymousClass() + Runnable.class.isInterface() + A.class.getSimpleName() + new Object(){}.getClass().getSimpleName().isEmpty() + ClassQueries.class.getPackageName().isEmpty() + String.class.getPackage().getName() + int[][].class.getCanonicalName() + java.util.Map.Entry.class.getName() + java.util.Map.Entry.class.getCanonicalName() + String.class.getTypeName() + Thread.State.class.isEnum() + Override.class.isAnnotation() + Integer.class.isInstance(5) + Number.class.isAssignableFrom(Integer.class) + Integer.class.cast(5) + Class.class.getModifiers() + String.class.desiredAssertionStatus());
        Runnable r = () -> {
        };
        System.out.println(r.getClass().getSimpleName().startsWith("ClassQueries$$Lambda") + "" + r.getClass().isSynthetic());
        System.out.println(ClassQueries.class.getEnclosingMethod() + " " + A.class.getEnclosingMethod());
        System.out.println(java.util.Arrays.toString(java.util.ArrayList.class.getInterfaces()));
        System.out.println(java.util.ArrayList.class.getGenericSuperclass());
        System.out.println(ClassQueries.class.getClassLoader() != null);
        System.out.println(String.class.getClassLoader());
        System.out.println(ClassQueries.class.getModule().isNamed());
        System.out.println(ClassQueries.class.getResource("nope.txt"));
        System.out.println(ClassQueries.class.getResourceAsStream("/nope.txt"));
    }
}
