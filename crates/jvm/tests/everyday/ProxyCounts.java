//@ class hidden
//@ verdict bug
/** A proxy counts calls. */
public class ProxyCounts {
    static int calls;
    interface Service { void call(); }

    public static void main(String[] args) throws InterruptedException {
        Service service = (Service) java.lang.reflect.Proxy.newProxyInstance(
            ProxyCounts.class.getClassLoader(), new Class<?>[] {Service.class},
            (proxy, method, arguments) -> { calls++; return null; });
        Thread other = new Thread(service::call);
        other.start();
        service.call();
        other.join();
        assert calls == 2; //~ assertion
    }
}
