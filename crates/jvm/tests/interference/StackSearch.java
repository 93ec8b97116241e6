import java.util.Stack;

/** One thread searches a stack and takes what it has found by its place; another one empties the stack. */
public class StackSearch {
    public static void main(String[] arguments) {
        Stack<Integer> stack = new Stack<>();
        stack.push(1);
        new Thread(() -> {
            int place = stack.search(1);
            if (place > 0) {
                stack.elementAt(stack.size() - place);
            }
        }).start();
        new Thread(stack::removeAllElements).start();
    }
}
