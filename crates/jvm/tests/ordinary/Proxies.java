import java.lang.reflect.*;
import java.util.*;
public class Proxies {
    interface Greeter {
        String greet(String n);
        default String hi() {
            return "hi";
        }
    }
    public static void main(String[] a) {
        Greeter g = (Greeter) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[]{Greeter.class}, (p,m,args) -> m.getName().equals("toString") ? "proxy!" : m.getName() + Arrays.toString(args));
        System.out.println(g.greet("bob"));
        System.out.println(g.hi());
        System.out.println(g.toString());
        System.out.println(Proxy.isProxyClass(g.getClass()) + " " + (g instanceof Greeter));
        Greeter d = (Greeter) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[]{Greeter.class}, new InvocationHandler() { Greeter real = n -> "real " + n; public Object invoke(Object p, Method m, Object[] x) throws Throwable { System.out.println("before " + m.getName()); return m.invoke(real, x); } });
        System.out.println(d.greet("z"));
    }
}
