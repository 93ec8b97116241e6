public class Native {
    static native int now();

    public static void main(String[] args) {
        System.out.println(now());
    }
}
