import java.util.*;
public class ServicesMissing {
    interface Plugin {
        String n();
    }
    public static void main(String[] a) {
        ServiceLoader<Plugin> l = ServiceLoader.load(Plugin.class);
        int c = 0;
        for (Plugin p : l) c++;
        System.out.println(c);
        System.out.println(l.findFirst().isPresent());
    }
}
