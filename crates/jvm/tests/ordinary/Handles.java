import java.lang.invoke.*;
import java.util.*;
public class Handles {
    int v = 1;
    volatile long w = 2;
    static String s = "s";
    static int add(int a, int b) {
        return a+b;
    }
    String inst(String x) {
        return x + v;
    }
    public static void main(String[] a) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        VarHandle h = l.findVarHandle(Handles.class,"v",int.class);
        Handles o = new Handles();
        System.out.println(h.compareAndSet(o,1,5) + "" + (int)h.get(o) + (int)h.getAndAdd(o,3) + o.v);
        h.setVolatile(o,9);
        System.out.println((int)h.getAcquire(o));
        VarHandle ah = MethodHandles.arrayElementVarHandle(int[].class);
        int[] arr = {1,2};
        ah.set(arr,1,7);
        System.out.println(arr[1] + "" + (int)ah.getAndSet(arr,0,4));
        VarHandle sh = l.findStaticVarHandle(Handles.class,"s",String.class);
        sh.set("t");
        System.out.println(s);
        MethodHandle m = l.findStatic(Handles.class,"add",MethodType.methodType(int.class,int.class,int.class));
        System.out.println((int)m.invokeExact(3,4));
        System.out.println((int)m.invoke(3,4));
        MethodHandle iv = l.findVirtual(Handles.class,"inst",MethodType.methodType(String.class,String.class));
        System.out.println((String)iv.invokeExact(o,"q"));
        System.out.println(iv.type());
    }
}
