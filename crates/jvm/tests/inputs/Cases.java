import counterpoint.Input;

/** Places where a value must be known: each case is an execution of its own. */
class Cases {
    enum Colour { RED, GREEN, BLUE }

    public static void main(String[] arguments) {
        switch (arguments[0]) {
            case "index" -> {
                int[] squares = {0, 1, 4, 9, 16};
                try {
                    System.out.println(squares[Input.anyInt()]);
                } catch (ArrayIndexOutOfBoundsException exception) {
                    System.out.println("outside");
                }
            }
            case "store" -> {
                char[] letters = {'a', 'b', 'c'};
                letters[Input.choose(3)] = 'x';
                System.out.println(letters);
            }
            case "length" -> {
                try {
                    int length = Input.anyInt();
                    System.out.println(length < 4 ? "" + new int[length].length : "long");
                } catch (NegativeArraySizeException exception) {
                    System.out.println("negative");
                }
            }
            case "dense" -> {
                switch (Input.anyInt()) {
                    case 1, 3 -> System.out.println("odd");
                    case 2 -> System.out.println("two");
                    case 4 -> System.out.println("four");
                    default -> System.out.println("other");
                }
            }
            case "sparse" -> {
                switch (Input.anyInt()) {
                    case -1000000 -> System.out.println("few");
                    case 5 -> System.out.println("five");
                    case 1000000 -> System.out.println("many");
                    default -> System.out.println("other");
                }
            }
            case "character" -> {
                char c = "hello".charAt(Input.choose(5));
                System.out.println(c == 'l' ? "l" : "other");
            }
            case "choice" -> System.out.println("chosen " + (Input.choose(4) * 2 + 1));
            case "truth" -> System.out.println(Input.anyBoolean());
            case "enumeration" -> System.out.println(Colour.values()[Input.choose(3)]);
            case "division" -> {
                try {
                    System.out.println(10 / Input.choose(3) + 10 % (Input.choose(2) + 1));
                } catch (ArithmeticException exception) {
                    System.out.println(exception.getMessage());
                }
            }
            case "list" -> {
                java.util.List<String> list = java.util.List.of("a", "b", "c");
                try {
                    System.out.println(new java.util.ArrayList<>(list).get(Input.anyInt()));
                } catch (IndexOutOfBoundsException exception) {
                    System.out.println("outside");
                }
            }
            case "grid" -> {
                int[][] grid = new int[Input.choose(2) + 1][Input.choose(3)];
                System.out.println(grid.length + "x" + grid[0].length);
            }
            case "nothing" -> Input.choose(Input.choose(2));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
