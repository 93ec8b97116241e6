import counterpoint.Input;

/** Pairs of threads that write one variable from both sides and then branch on an input each. */
class Pairs {
    static final class Variable {
        int value;
    }

    public static void main(String[] arguments) {
        int pairs = Integer.parseInt(arguments[0]);
        for (int pair = 0; pair < pairs; pair++) {
            Variable variable = new Variable();
            for (int side = 1; side <= 2; side++) {
                int value = side;
                new Thread(() -> {
                    variable.value = value;
                    int seen = 0;
                    if (Input.anyBoolean()) {
                        seen = 1;
                    }
                }).start();
            }
        }
    }
}
