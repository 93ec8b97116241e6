import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/** What management beans tell whatever the machine. */
public class ManagementBeans {
    public static void main(String[] args) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        System.out.println(threads == ManagementFactory.getThreadMXBean());
        System.out.println(threads.getThreadCount() >= 1);
        System.out.println(threads.getDaemonThreadCount() >= 0);
        long own = Thread.currentThread().getId();
        System.out.println(Arrays.stream(threads.getAllThreadIds()).anyMatch(id -> id == own));
        System.out.println(threads.findDeadlockedThreads() == null);
        System.out.println(threads.findMonitorDeadlockedThreads() == null);
        System.out.println(threads.isCurrentThreadCpuTimeSupported());
        System.out.println(threads.getCurrentThreadCpuTime() >= 0);
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        System.out.println(heap.getUsed() >= 0 && heap.getUsed() <= heap.getCommitted());
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        System.out.println(runtime.getName().contains("@") + " " + (runtime.getUptime() >= 0));
        System.out.println(runtime.getStartTime() > 0);
        System.out.println(ManagementFactory.getOperatingSystemMXBean().getAvailableProcessors() > 0);
        System.out.println(ManagementFactory.getClassLoadingMXBean().getLoadedClassCount() > 0);
        System.out.println(ManagementFactory.getGarbageCollectorMXBeans() != null);
    }
}
