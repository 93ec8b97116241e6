//@ switches 3
import java.util.EmptyStackException;
import java.util.Stack;

/** A row Stack of table 1: not empty when asked, empty when popped. */
public class StackPop {
    public static void main(String[] args) {
        Stack<Integer> stack = new Stack<>();
        stack.push(1);
        boolean fixed = args.length > 0;
        Runnable user = new Runnable() {
            @Override
            public void run() {
                if (fixed) {
                    try {
                        stack.pop();
                    } catch (EmptyStackException nothing) {
                        return;
                    }
                } else if (!stack.empty()) {
                    stack.pop(); //~ exception
                }
            }
        };
        new Thread(user).start();
        new Thread(user).start();
    }
}
