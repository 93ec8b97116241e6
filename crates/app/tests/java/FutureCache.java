import java.util.concurrent.*;

public class FutureCache {
    static class Profile { final String name; Profile(String name) { this.name = name; } }
    static volatile Profile cached;
    static volatile int hits;

    static void load() { cached = new Profile("ada"); }
    static String greet() {
        hits++;
        Profile profile = cached;
        return "hello " + profile.name;
    }

    public static void main(String[] args) {
        CompletableFuture<Void> loading = CompletableFuture.runAsync(FutureCache::load);
        CompletableFuture<String> greeting = CompletableFuture.supplyAsync(FutureCache::greet);
        System.out.println(greeting.join());
        loading.join();
    }
}
