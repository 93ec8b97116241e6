import counterpoint.Input;

/** Example 2 of the thesis: the failure needs a product that overflows. */
class Overflow {
    public static void main(String[] arguments) {
        int x = Input.anyInt();
        int y = Input.anyInt();
        if (x > y) {
            if (x * y == 1452) {
                if (x / 2 == 5) {
                    throw new IllegalStateException("error");
                }
            }
        }
    }
}
