public class ContextLoader {
    static boolean isOwn() {
        return Thread.currentThread().getContextClassLoader() == ContextLoader.class.getClassLoader();
    }

    public static void main(String[] args) throws Exception {
        System.out.println(isOwn() + " " + (ClassLoader.getSystemClassLoader() != null));
        Thread other = new Thread(() -> System.out.println(isOwn()));
        other.start();
        other.join();
        System.out.println(Thread.currentThread().getContextClassLoader().loadClass("ContextLoader") == ContextLoader.class);
        Thread.currentThread().setContextClassLoader(null);
        System.out.println(Thread.currentThread().getContextClassLoader());
    }
}
