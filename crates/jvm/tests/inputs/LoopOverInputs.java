import counterpoint.Input;

/** Example 1 of the thesis: a loop that reads an input in each round. */
class LoopOverInputs {
    public static void main(String[] arguments) {
        for (int i = 0; i < 2; i++) {
            int x = Input.anyInt() + 5;
            if (x == i) {
                throw new IllegalStateException("error");
            }
        }
    }
}
