import java.util.*;

public class ConfigNull {
    static Map<String, String> config;
    static int requests;

    public static void main(String[] args) throws Exception {
        Thread loader = new Thread(() -> config = Map.of("host", "localhost"), "loader");
        Thread server = new Thread(() -> {
            requests++;
            System.out.println(config.get("host"));
        }, "server");
        loader.start();
        server.start();
        loader.join();
        server.join();
    }
}
