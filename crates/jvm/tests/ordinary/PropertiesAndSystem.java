import java.util.*;
import java.io.*;
public class PropertiesAndSystem {
    public static void main(String[] a) throws IOException {
        Properties p = new Properties();
        p.load(new StringReader("# c\na=1\nb : two\nc\\ d=x\\u0041\nlong=a\\\n  b\n"));
        System.out.println(new TreeMap<>(p));
        System.out.println(p.getProperty("a") + p.getProperty("zz","def") + p.stringPropertyNames().size());
        StringWriter w = new StringWriter();
        Properties q = new Properties();
        q.setProperty("k","v=1");
        q.store(w, "comment");
        System.out.println(w.toString().lines().filter(l -> !l.startsWith("#Mon") && !l.startsWith("#Sun") && !l.matches("#\\w{3} \\w{3}.*")).toList());
        System.out.println(System.getProperty("line.separator").length() + System.lineSeparator().length() + System.getProperty("file.separator") + System.getProperty("path.separator") + System.getProperty("java.version").isEmpty() + System.getProperty("nope") + System.getProperty("nope","d") + Integer.getInteger("x.y", 5) + Boolean.getBoolean("q"));
        System.setProperty("my.p","v");
        System.out.println(System.getProperty("my.p") + System.clearProperty("my.p") + System.getProperty("my.p"));
        System.out.println(System.getenv("SURELY_NOT_SET_X"));
        System.out.println(System.getenv().containsKey("SURELY_NOT_SET_X"));
        System.out.println(System.getProperty("os.name") != null);
        System.out.println(System.getProperty("user.dir") != null);
        System.out.println(System.getProperty("java.specification.version"));
        System.out.println(Runtime.version().feature());
        System.out.println(System.getProperty("java.vendor") != null);
        System.out.println(System.getProperty("user.name")!=null);
        System.out.println(System.getProperty("java.io.tmpdir")!=null);
        System.out.println(System.getProperty("java.class.path")!=null);
        System.out.println(System.getProperties().size() > 10);
        try {
            ResourceBundle.getBundle("nope");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
    }
}
