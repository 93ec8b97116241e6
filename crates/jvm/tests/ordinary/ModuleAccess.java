import java.lang.reflect.*;
import java.net.*;
import java.util.*;

public class ModuleAccess {
    private int own = 1;

    static void open(AccessibleObject member) {
        try {
            member.setAccessible(true);
            System.out.println("open " + member.trySetAccessible());
        } catch (InaccessibleObjectException e) {
            System.out.println(e.getMessage().replaceAll(" @.*", "") + " " + member.trySetAccessible());
        }
    }

    public static void main(String[] args) throws Exception {
        open(ModuleAccess.class.getDeclaredField("own"));
        open(String.class.getDeclaredField("value"));
        open(String.class.getMethod("length"));
        open(ArrayList.class.getDeclaredMethod("grow", int.class));
        open(Thread.class.getDeclaredConstructor(Runnable.class));
        open(Thread.class.getDeclaredMethod("exit"));
        open(Class.forName("jdk.internal.misc.VM").getMethod("isBooted"));
        open(Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe"));
        String.class.getDeclaredField("value").setAccessible(false);

        System.out.println(InetAddress.getByAddress(new byte[] {10, 0, 0, 1}) + " " + InetAddress.getByName("127.0.0.1").isLoopbackAddress());
        System.out.println(new InetSocketAddress("192.168.1.2", 80) + " " + InetSocketAddress.createUnresolved("example.com", 443).getPort());
        System.out.println(InetAddress.getLoopbackAddress() + " " + InetAddress.getByName("::1").getHostAddress());
    }
}
