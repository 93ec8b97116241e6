import java.util.Stack;

/** Two threads pop the only element of a stack, one of them after a look. */
public class StackTwoPops {
    public static void main(String[] arguments) {
        Stack<Integer> stack = new Stack<>();
        stack.push(1);
        new Thread(() -> {
            if (!stack.empty()) {
                stack.pop();
            }
        }).start();
        new Thread(() -> {
            if (!stack.empty()) {
                stack.removeElement(1);
            }
        }).start();
    }
}
