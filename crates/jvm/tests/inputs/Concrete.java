import counterpoint.Input;

/** Places where unknowns are made concrete. */
class Concrete {
    public static void main(String[] arguments) {
        int x = Input.anyInt();
        switch (arguments[0]) {
            case "text" -> System.out.println("x = " + x);
            case "floating" -> System.out.println(x * 0.5 > 3 ? "large" : "small");
            case "builder" -> System.out.println(new StringBuilder().append(x).length());
            case "array" -> System.out.println(new String(new char[] {'a', (char) x}).length());
            case "known" -> {
                if (x == 12) {
                    System.out.println("x = " + x);
                }
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
