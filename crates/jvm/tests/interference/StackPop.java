import java.util.Stack;

/** One thread tests a stack before it pops, and another thread pops in between. */
public class StackPop {
    public static void main(String[] arguments) {
        Stack<Integer> stack = new Stack<>();
        stack.push(1);
        new Thread(() -> {
            if (!stack.empty()) {
                stack.pop();
            }
        }).start();
        new Thread(() -> stack.removeAllElements()).start();
    }
}
