public class Results {
    static int x;
    static boolean done;
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> { x = 1; done = true; });
        a.start();
        System.out.println("done " + done + " x " + x);
        a.join();
    }
}
