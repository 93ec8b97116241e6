public class BoxedInput {
    static int limit() { return 3; }
    static boolean strict() { return false; }
    static Integer used = 0;
    static Boolean mode;
    public static void main(String[] args) throws Exception {
        Integer limit = limit();
        mode = strict();
        Thread a = new Thread(() -> used = used + limit);
        a.start();
        used = used + 1;
        a.join();
        if (mode && limit > 10 && used < 2) throw new AssertionError("used " + used);
    }
}
