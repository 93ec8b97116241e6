package counterpoint.junit;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Hands a test over to Counterpoint instead of running it once.
 *
 * <p>The test's unique id says which test; the class path is that of the present process. Set-up and tear-down around the
 * test are left out here, because Counterpoint runs them with each execution. Inside Counterpoint, where the driver of its
 * machine is on the class path, the extension does nothing.
 */
public final class CounterpointExtension implements InvocationInterceptor {
    /** The system property that says where the program is. */
    public static final String BINARY = "counterpoint.binary";

    /** A class that is only there while Counterpoint explores. */
    private static final String DRIVER = "CounterpointJUnit5";

    private static final String ENGINE = "[engine:junit-jupiter]";
    private static final int OK = 0;
    private static final int BUG = 1;
    private static final int INCOMPLETE = 3;

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        explore(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        boolean again = method.getExecutable().isAnnotationPresent(RepeatedTest.class)
            && !context.getUniqueId().endsWith("#1]");
        if (again && !isExploring()) {
            // Every schedule was tried the first time.
            invocation.skip();
        } else {
            explore(invocation, context);
        }
    }

    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation, DynamicTestInvocationContext test, ExtensionContext context)
            throws Throwable {
        explore(invocation, context);
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        around(invocation);
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        around(invocation);
    }

    private static void around(Invocation<Void> invocation) throws Throwable {
        if (isExploring()) {
            invocation.proceed();
        } else {
            invocation.skip();
        }
    }

    private static boolean isExploring() {
        try {
            Class.forName(DRIVER, false, ClassLoader.getSystemClassLoader());
            return true;
        } catch (ClassNotFoundException expected) {
            return false;
        }
    }

    private static void explore(Invocation<Void> invocation, ExtensionContext context) throws Throwable {
        if (isExploring()) {
            invocation.proceed();
            return;
        }
        invocation.skip();
        List<String> command = new ArrayList<>();
        command.add(binary());
        command.add("test");
        command.add(folder(context.getRequiredTestClass()));
        command.add("--class-path");
        command.add(classPath());
        command.add("--tests");
        String id = context.getUniqueId();
        command.add(id.substring(Math.max(0, id.indexOf(ENGINE))));
        command.addAll(options(context));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String screen = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code == BUG) {
            throw new AssertionFailedError("a schedule makes this test fail\n\n" + screen);
        }
        if (code == OK && screen.startsWith("ignored")) {
            throw new TestAbortedException(screen);
        }
        if (code != OK && code != INCOMPLETE) {
            throw new IllegalStateException("counterpoint could not explore this test\n\n" + screen);
        }
        context.publishReportEntry("counterpoint", screen.trim());
    }

    private static List<String> options(ExtensionContext context) {
        Optional<Explored> explored = AnnotationSupport.findAnnotation(context.getElement(), Explored.class);
        Class<?> type = context.getRequiredTestClass();
        while (explored.isEmpty() && type != null) {
            explored = AnnotationSupport.findAnnotation(type, Explored.class);
            type = type.getEnclosingClass();
        }
        return explored.map(own -> Arrays.asList(own.options())).orElse(List.of());
    }

    /** The class path of this process. Entries that do not exist mean nothing to Java. */
    private static String classPath() {
        // Builds that hand over a long class path in a jar say here what it is.
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> there = new ArrayList<>();
        for (String entry : all.split(File.pathSeparator)) {
            if (!entry.isEmpty() && Files.exists(Paths.get(entry))) {
                there.add(entry);
            }
        }
        return String.join(File.pathSeparator, there);
    }

    /** Where the classes of the test are. */
    private static String folder(Class<?> type) throws URISyntaxException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new IllegalStateException("counterpoint cannot tell where the class " + type.getName() + " is");
        }
        return Paths.get(source.getLocation().toURI()).toString();
    }

    private static String binary() throws IOException {
        String named = System.getProperty(BINARY, System.getenv("COUNTERPOINT_BINARY"));
        if (named != null) {
            if (!Files.isExecutable(Paths.get(named))) {
                throw new IllegalStateException("`" + named + "` is not a program (property " + BINARY + ")");
            }
            return named;
        }
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "" : path).split(File.pathSeparator)) {
            Path file = Paths.get(folder, "counterpoint");
            if (Files.isExecutable(file) && Files.isRegularFile(file)) {
                return file.toString();
            }
        }
        throw new IllegalStateException("counterpoint is not on the PATH: build it with `cargo build --release` in its"
            + " repository and set the property " + BINARY + " to target/release/counterpoint");
    }
}
