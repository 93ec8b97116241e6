import java.util.*;
import java.util.function.*;

/** A stack machine, a tokenizer, Brainf*** and a state machine. */
public class Interpreter {
    enum Code { PUSH, ADD, MUL, SUB, DUP, SWAP, JMPNZ, PRINT, HALT }
    record Instruction(Code code, int operand) {
        Instruction(Code code) { this(code, 0); }
    }

    static String run(List<Instruction> program) {
        int[] stack = new int[32];
        int sp = 0, pc = 0, steps = 0;
        StringBuilder out = new StringBuilder();
        while (true) {
            Instruction i = program.get(pc++);
            if (++steps > 10_000) return "too long";
            switch (i.code()) {
                case PUSH -> stack[sp++] = i.operand();
                case ADD -> { sp--; stack[sp - 1] += stack[sp]; }
                case SUB -> { sp--; stack[sp - 1] -= stack[sp]; }
                case MUL -> { sp--; stack[sp - 1] *= stack[sp]; }
                case DUP -> { stack[sp] = stack[sp - 1]; sp++; }
                case SWAP -> { int t = stack[sp - 1]; stack[sp - 1] = stack[sp - 2]; stack[sp - 2] = t; }
                case JMPNZ -> { if (stack[sp - 1] != 0) pc = i.operand(); }
                case PRINT -> out.append(stack[--sp]).append(' ');
                case HALT -> { return out + "in " + steps; }
            }
        }
    }

    static String tape(String program) {
        byte[] cells = new byte[100];
        int at = 0;
        StringBuilder out = new StringBuilder();
        for (int pc = 0; pc < program.length(); pc++) {
            switch (program.charAt(pc)) {
                case '>': at++; break;
                case '<': at--; break;
                case '+': cells[at]++; break;
                case '-': cells[at]--; break;
                case '.': out.append((char) cells[at]); break;
                case '[':
                    if (cells[at] == 0) for (int depth = 1; depth > 0;) { pc++; if (program.charAt(pc) == '[') depth++; else if (program.charAt(pc) == ']') depth--; }
                    break;
                case ']':
                    if (cells[at] != 0) for (int depth = 1; depth > 0;) { pc--; if (program.charAt(pc) == ']') depth++; else if (program.charAt(pc) == '[') depth--; }
                    break;
                default:
            }
        }
        return out.toString();
    }

    static final Map<String, BinaryOperator<Double>> OPERATORS = new HashMap<>();
    static {
        OPERATORS.put("+", Double::sum);
        OPERATORS.put("-", (a, b) -> a - b);
        OPERATORS.put("*", (a, b) -> a * b);
        OPERATORS.put("/", (a, b) -> a / b);
        OPERATORS.put("^", Math::pow);
    }

    static double postfix(String text) {
        Deque<Double> stack = new ArrayDeque<>();
        for (String token : text.split(" ")) {
            BinaryOperator<Double> op = OPERATORS.get(token);
            if (op == null) stack.push(Double.valueOf(token));
            else { double b = stack.pop(), a = stack.pop(); stack.push(op.apply(a, b)); }
        }
        return stack.pop();
    }

    public static void main(String[] args) {
        List<Instruction> program = List.of(new Instruction(Code.PUSH, 1), new Instruction(Code.PUSH, 6),
            new Instruction(Code.DUP), new Instruction(Code.PRINT), new Instruction(Code.SWAP), new Instruction(Code.PUSH, 3), new Instruction(Code.MUL),
            new Instruction(Code.SWAP), new Instruction(Code.PUSH, 1), new Instruction(Code.SUB), new Instruction(Code.JMPNZ, 2),
            new Instruction(Code.PRINT), new Instruction(Code.PRINT), new Instruction(Code.HALT));
        System.out.println(run(program));
        System.out.print(tape("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++."));
        System.out.println(postfix("3 4 + 2 * 7 /") + " " + postfix("2 10 ^") + " " + postfix("1 0 /"));
    }
}
