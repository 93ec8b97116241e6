import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs main classes many times on the real virtual machine, each time with classes of their own, and
 * prints every outcome that it has seen: class, number of runs, outcome.
 * Arguments: folder of classes, runs, names of main classes.
 */
public class RunMany {
    public static void main(String[] args) throws Exception {
        PrintStream console = System.out;
        URL[] classes = {Path.of(args[0]).toUri().toURL()};
        int runs = Integer.parseInt(args[1]);
        Thread[] noise = new Thread[Integer.getInteger("noise", 1)];
        for (int i = 0; i < noise.length; i++) {
            noise[i] = new Thread(() -> { while (true) { if (ThreadLocalRandom.current().nextInt(50) == 0) Thread.yield(); } });
            noise[i].setDaemon(true);
            noise[i].start();
        }
        for (int index = 2; index < args.length; index++) {
            String name = args[index];
            TreeMap<String, Integer> outcomes = new TreeMap<>();
            int hanging = 0;
            for (int run = 0; run < runs && hanging < 3; run++) {
                ByteArrayOutputStream output = new ByteArrayOutputStream();
                System.setOut(new PrintStream(output, true));
                String[] thrown = {""};
                URLClassLoader loader = new URLClassLoader(classes, RunMany.class.getClassLoader());
                loader.setDefaultAssertionStatus(true);
                Thread thread = new Thread(() -> {
                    try {
                        Class<?> main = Class.forName(name, true, loader);
                        main.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        thrown[0] = " threw " + e.getCause().getClass().getName();
                    } catch (Throwable e) {
                        thrown[0] = " threw " + e.getClass().getName();
                    }
                });
                Thread.UncaughtExceptionHandler handler = (who, what) -> thrown[0] += " threw " + what.getClass().getName();
                Thread.setDefaultUncaughtExceptionHandler(handler);
                thread.start();
                thread.join(Integer.getInteger("patience", 3000));
                for (int look = 0; look < 50 && thread.isAlive() && moves(); look++) {
                    thread.join(100);
                }
                boolean hangs = thread.isAlive();
                if (hangs) hanging++;
                String outcome = (hangs ? "Deadlock " : "Complete ") + output.toString().trim().replace('\n', ' ') + thrown[0];
                outcomes.merge(outcome, 1, Integer::sum);
            }
            outcomes.forEach((outcome, count) -> console.println(name + "\t" + count + "\t" + outcome));
            console.flush();
        }
        Runtime.getRuntime().halt(0);
    }

    /** Whether a thread of the program may still go on by itself; what hangs was left behind by earlier runs. */
    static boolean moves() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            Thread.State state = thread.getState();
            boolean stays = state == Thread.State.BLOCKED || state == Thread.State.WAITING;
            if (!thread.isDaemon() && !stays && thread != Thread.currentThread()
                    && !thread.getName().equals("DestroyJavaVM")) {
                return true;
            }
        }
        return false;
    }
}
