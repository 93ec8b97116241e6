import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs programs many times on the real virtual machine, each time with classes of their own and in a group of threads
 * of their own, and prints every outcome that it has seen: program, number of runs, outcome.
 *
 * Several lanes run programs side by side, beside threads that only make noise. A run that seems to hang is left behind
 * and looked at again when all others have ended: only what still hangs then is said to hang, so that neither
 * a busy computer makes a deadlock nor a deadlock keeps others waiting.
 *
 * Arguments: folder of classes, runs, a file with a main class and its arguments in each line.
 */
public class RunMany {
    static final PrintStream CONSOLE = System.out;
    static final ThreadGroup ALL = new ThreadGroup("runs");
    static final Map<String, byte[]> CLASSES = new ConcurrentHashMap<>();
    static final Map<String, Map<String, Integer>> OUTCOMES = new ConcurrentHashMap<>();
    static final List<Run> LEFT_BEHIND = new ArrayList<>();
    static final int LANES = Integer.getInteger("lanes", 2);
    static final int PATIENCE = Integer.getInteger("patience", 600);
    static Path folder;

    public static void main(String[] args) throws Exception {
        folder = Path.of(args[0]);
        int runs = Integer.parseInt(args[1]);
        List<String> programs = Files.readAllLines(Path.of(args[2]));
        for (int i = Integer.getInteger("noise", 1); i > 0; i--) {
            aside(() -> { while (true) { if (ThreadLocalRandom.current().nextInt(50) == 0) Thread.yield(); } });
        }
        System.setOut(new PrintStream(new Outputs(), true));
        AtomicInteger next = new AtomicInteger();
        Thread[] lanes = new Thread[LANES];
        for (int lane = 0; lane < lanes.length; lane++) {
            lanes[lane] = aside(() -> {
                for (int at = next.getAndIncrement(); at < programs.size(); at = next.getAndIncrement()) {
                    runAll(programs.get(at), runs);
                }
            });
        }
        for (Thread lane : lanes) {
            lane.join();
        }
        lookAgain();
        for (String program : programs) {
            OUTCOMES.getOrDefault(program, Map.of())
                    .forEach((outcome, count) -> CONSOLE.println(program + "\t" + count + "\t" + outcome));
        }
        CONSOLE.flush();
        Runtime.getRuntime().halt(0);
    }

    static Thread aside(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void runAll(String program, int runs) {
        int hanging = 0;
        for (int count = 0; count < runs && hanging < 3; count++) {
            if (LANES == 1) {
                // Programs that change what the virtual machine has once are run in one lane.
                System.setOut(new PrintStream(new Outputs(), true));
            }
            Run run = new Run(program);
            if (run.ends()) {
                note(run, "Complete");
            } else {
                hanging++;
                synchronized (LEFT_BEHIND) {
                    LEFT_BEHIND.add(run);
                }
            }
        }
    }

    static void note(Run run, String ending) {
        String outcome = ending + " " + run.output.toString().strip().replace('\n', ' ');
        synchronized (run.thrown) {
            for (String name : run.thrown) {
                outcome += " threw " + name;
            }
        }
        OUTCOMES.computeIfAbsent(run.program, program -> new TreeMap<>()).merge(outcome, 1, Integer::sum);
    }

    /** Those that have ended meanwhile were only slow; the others must not move for some time. */
    static void lookAgain() throws InterruptedException {
        long give_up = System.nanoTime() + 20_000_000_000L;
        for (int quiet = 0; quiet < PATIENCE / 20 && System.nanoTime() < give_up; quiet++) {
            Thread.sleep(20);
            for (Run run : LEFT_BEHIND) {
                if (!run.isOver() && run.moves()) {
                    quiet = 0;
                }
            }
        }
        for (Run run : LEFT_BEHIND) {
            note(run, run.isOver() ? "Complete" : "Deadlock");
        }
    }

    /** One run of a program. */
    static class Run {
        final String program;
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        final TreeSet<String> thrown = new TreeSet<>();
        final Group group = new Group(this);
        final Thread main;

        Run(String program) {
            this.program = program;
            String[] words = program.split(" ");
            String[] arguments = java.util.Arrays.copyOfRange(words, 1, words.length);
            main = new Thread(group, () -> {
                try {
                    Class<?> type = Class.forName(words[0], true, new Loader());
                    type.getMethod("main", String[].class).invoke(null, (Object) arguments);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    group.uncaughtException(Thread.currentThread(), e.getCause());
                } catch (Throwable e) {
                    group.uncaughtException(Thread.currentThread(), e);
                }
            }, "main");
            main.setDaemon(false);
            main.start();
        }

        /** Waits for the end; false if all threads stand still. */
        boolean ends() {
            try {
                for (int still = 0; still < 4;) {
                    main.join(10);
                    if (isOver()) {
                        return true;
                    }
                    still = moves() ? 0 : still + 1;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return false;
        }

        boolean isOver() {
            for (Thread thread : threads()) {
                if (thread != null && thread.isAlive() && !thread.isDaemon()) {
                    return false;
                }
            }
            return true;
        }

        /** Whether some thread may go on by itself. */
        boolean moves() {
            for (Thread thread : threads()) {
                Thread.State state = thread == null ? Thread.State.WAITING : thread.getState();
                if (state != Thread.State.BLOCKED && state != Thread.State.WAITING) {
                    return true;
                }
            }
            return false;
        }

        Thread[] threads() {
            Thread[] threads = new Thread[group.activeCount() + 10];
            group.enumerate(threads);
            return threads;
        }
    }

    /** The threads of a run. */
    static class Group extends ThreadGroup {
        final Run run;

        Group(Run run) {
            super(ALL, "run");
            this.run = run;
        }

        @Override
        public void uncaughtException(Thread thread, Throwable what) {
            synchronized (run.thrown) {
                run.thrown.add(what.getClass().getName());
            }
        }
    }

    /** What a thread prints belongs to its run. */
    static class Outputs extends OutputStream {
        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            if (Thread.currentThread().getThreadGroup() instanceof Group group) {
                group.run.output.write(bytes, from, count);
            }
        }
    }

    /** Gives each run its own classes. */
    static class Loader extends ClassLoader {
        Loader() {
            super(RunMany.class.getClassLoader());
            setDefaultAssertionStatus(true);
        }

        /** Programs have no package: whoever would look for their classes first looks in vain. */
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.indexOf('.') >= 0 || name.equals("Pause")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known == null ? findClass(name) : known;
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = CLASSES.computeIfAbsent(name, Loader::read);
            if (bytes.length == 0) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }

        @Override
        public java.io.InputStream getResourceAsStream(String name) {
            try {
                return Files.newInputStream(folder.resolve(name));
            } catch (IOException e) {
                return null;
            }
        }

        static byte[] read(String name) {
            try {
                return Files.readAllBytes(folder.resolve(name.replace('.', '/') + ".class"));
            } catch (IOException e) {
                return new byte[0];
            }
        }
    }
}
