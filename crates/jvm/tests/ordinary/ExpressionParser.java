import java.util.*;
public class ExpressionParser {
    interface Visitor<R> {
        R num(int n);
        R bin(char op, Expr l, Expr r);
    }
    interface Expr {
        <R> R accept(Visitor<R> v);
    }
    static Expr num(int n) {
        return new Expr() {
            public <R> R accept(Visitor<R> v) {
                return v.num(n);
            }
        };
    }
    static Expr bin(char op, Expr l, Expr r) {
        return new Expr() {
            public <R> R accept(Visitor<R> v) {
                return v.bin(op,l,r);
            }
        };
    }
    static class Parser {
        final String s;
        int p;
        Parser(String s) {
            this.s = s;
        }
        char peek() {
            while (p < s.length() && s.charAt(p) == ' ') p++;
            return p < s.length() ? s.charAt(p) : '$';
        }
        Expr expr() {
            Expr l = term();
            while (peek() == '+' || peek() == '-') {
                char o = s.charAt(p++);
                l = bin(o,l,term());
            }
            return l;
        }
        Expr term() {
            Expr l = fac();
            while (peek() == '*' || peek() == '/') {
                char o = s.charAt(p++);
                l = bin(o,l,fac());
            }
            return l;
        }
        Expr fac() {
            char c = peek();
            if (c == '(') {
                p++;
                Expr e = expr();
                if (peek() != ')') throw new IllegalStateException("expected ) at " + p);
                p++;
                return e;
            }
            int st = p;
            while (p < s.length() && Character.isDigit(s.charAt(p))) p++;
            if (st == p) throw new IllegalStateException("unexpected '" + c + "' at " + p);
            return num(Integer.parseInt(s.substring(st,p)));
        }
    }
    public static void main(String[] a) {
        for (String s : new String[]{"1+2*3","(1+2)*3 - 4/2","2*(3","7/0","*"}) try {
            Expr e = new Parser(s).expr();
            System.out.println(e.<String>accept(new Visitor<>() { public String num(int n) { return "" + n; } public String bin(char o, Expr l, Expr r) { return "(" + l.accept(this) + o + r.accept(this) + ")"; } }) + "=" + e.accept(new Visitor<Integer>() { public Integer num(int n) { return n; } public Integer bin(char o, Expr l, Expr r) { int x = l.accept(this), y = r.accept(this); return switch (o) { case '+' -> x+y; case '-' -> x-y; case '*' -> x*y; default -> x/y; }; } }));
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }
}
