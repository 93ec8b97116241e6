import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/**
 * Asks JUnit 5: `list CLASS...` tells the tests of classes, `expand ID...` also those that a test with parameters
 * makes when it is run, and `run ID` runs one test and throws what it fails with. If JUnit does not run it, or an
 * assumption ends it, a line says why.
 */
public final class CounterpointJUnit5 implements EngineExecutionListener, ConfigurationParameters {
    private final boolean lists;
    private final Properties configuration = configured();
    private Throwable failure;
    private boolean met;
    private boolean succeeded;
    private String skipped;

    private CounterpointJUnit5(boolean lists) {
        this.lists = lists;
    }

    public static void main(String[] arguments) throws Throwable {
        // A test may put another stream into its place.
        PrintStream out = System.out;
        TestEngine engine = (TestEngine) Class.forName("org.junit.jupiter.engine.JupiterTestEngine")
            .getDeclaredConstructor()
            .newInstance();
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (int index = 1; index < arguments.length; index++) {
            selectors.add(arguments[index].startsWith("[")
                ? DiscoverySelectors.selectUniqueId(arguments[index])
                : DiscoverySelectors.selectClass(type(arguments[index])));
        }
        boolean lists = !arguments[0].equals("run");
        CounterpointJUnit5 self = new CounterpointJUnit5(lists);
        TestDescriptor root = engine.discover(self.discovery(selectors), UniqueId.forEngine(engine.getId()));
        if (arguments[0].equals("list")) {
            list(root);
        } else {
            engine.execute(self.execution(root));
        }
        if (lists) {
            System.out.println("counterpoint-end");
        } else if (self.failure != null) {
            throw self.failure;
        } else if (!self.met) {
            throw new IllegalStateException("JUnit finds no such test: " + arguments[1]);
        } else if (!self.succeeded && self.skipped != null) {
            out.println("\ncounterpoint-skipped\t" + plain(self.skipped));
        }
    }

    /** Asks for the tests of selectors. Later versions of JUnit want to know more of it, in methods that earlier ones lack. */
    private EngineDiscoveryRequest discovery(List<DiscoverySelector> selectors) {
        return (EngineDiscoveryRequest) implemented(EngineDiscoveryRequest.class, (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "getSelectorsByType":
                    List<DiscoverySelector> those = new ArrayList<>(selectors);
                    those.removeIf(selector -> !((Class<?>) arguments[0]).isInstance(selector));
                    return those;
                case "getFiltersByType":
                    return Collections.emptyList();
                case "getConfigurationParameters":
                    return this;
                default:
                    return supplied(method.getReturnType());
            }
        });
    }

    /** Asks to run tests. Each version of JUnit has another way to make this, with more arguments than the one before. */
    private ExecutionRequest execution(TestDescriptor root) throws ReflectiveOperationException {
        Method create = null;
        for (Method method : ExecutionRequest.class.getMethods()) {
            boolean more = create == null || method.getParameterCount() > create.getParameterCount();
            create = method.getName().equals("create") && more ? method : create;
        }
        if (create == null) {
            return new ExecutionRequest(root, this, this);
        }
        Object[] arguments = new Object[create.getParameterCount()];
        for (int index = 0; index < arguments.length; index++) {
            Class<?> type = create.getParameterTypes()[index];
            arguments[index] = type.isInstance(root) ? root : type.isInstance(this) ? this : supplied(type);
        }
        return (ExecutionRequest) create.invoke(null, arguments);
    }

    /** What only later versions of JUnit want to have. */
    private static Object supplied(Class<?> type) throws ReflectiveOperationException {
        if (type.getSimpleName().equals("NamespacedHierarchicalStore")) {
            // What tests of one run share lies above what those of one session share.
            Constructor<?> store = type.getConstructor(type);
            return store.newInstance(store.newInstance(new Object[] {null}));
        }
        for (Field field : type.getFields()) {
            if (field.getName().equals("NOOP")) {
                return field.get(null);
            }
        }
        for (Method method : type.getMethods()) {
            if (method.getName().equals("disabled") && method.getParameterCount() == 0) {
                return method.invoke(null);
            }
        }
        // Somebody who knows where tests put their files.
        return implemented(type, (proxy, method, arguments) ->
            method.getReturnType() == Path.class ? Files.createTempDirectory("junit") : null);
    }

    private static Object implemented(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(CounterpointJUnit5.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name, false, CounterpointJUnit5.class.getClassLoader());
    }

    private static void list(TestDescriptor descriptor) {
        Disabled disabled = disabled(descriptor);
        if (!descriptor.isTest() && !descriptor.mayRegisterTests()) {
            for (TestDescriptor child : descriptor.getChildren()) {
                list(child);
            }
        } else if (disabled != null) {
            tell("ignored", descriptor, disabled.value());
        } else if (descriptor.isTest()) {
            tell("test", descriptor, "");
        } else {
            Method method = method(descriptor);
            boolean repeated = method != null && method.isAnnotationPresent(RepeatedTest.class);
            tell(repeated ? "repeated" : "template", descriptor, "");
        }
    }

    private static Method method(TestDescriptor descriptor) {
        TestSource source = descriptor.getSource().orElse(null);
        return source instanceof MethodSource ? ((MethodSource) source).getJavaMethod() : null;
    }

    private static Disabled disabled(TestDescriptor descriptor) {
        Method method = method(descriptor);
        if (method == null) {
            return null;
        }
        Disabled disabled = method.getAnnotation(Disabled.class);
        TestSource source = descriptor.getSource().orElse(null);
        Class<?> type = ((MethodSource) source).getJavaClass();
        while (disabled == null && type != null) {
            disabled = type.getAnnotation(Disabled.class);
            type = type.getEnclosingClass();
        }
        return disabled;
    }

    private static void tell(String kind, TestDescriptor descriptor, String why) {
        TestDescriptor nearest = descriptor;
        while (method(nearest) == null && nearest.getParent().isPresent()) {
            nearest = nearest.getParent().get();
        }
        boolean generated = descriptor != nearest
            || descriptor.getParent().isPresent() && descriptor.getParent().get().mayRegisterTests();
        TestSource source = descriptor.getSource().orElse(null);
        String type = source instanceof ClassSource ? ((ClassSource) source).getClassName() : "";
        String name = generated ? " " + descriptor.getDisplayName() : "";
        if (method(nearest) != null) {
            type = ((MethodSource) nearest.getSource().get()).getClassName();
            name = method(nearest).getName() + name;
        }
        System.out.println("counterpoint-test\t" + kind + "\t" + type + "\t" + plain(name) + "\t"
            + descriptor.getUniqueId() + "\t" + plain(why));
    }

    private static String plain(String text) {
        return text.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    }

    @Override
    public void dynamicTestRegistered(TestDescriptor descriptor) {
        if (lists && descriptor.isTest()) {
            tell("test", descriptor, "");
        }
    }

    @Override
    public void executionSkipped(TestDescriptor descriptor, String reason) {
        met = true;
        skipped = reason == null ? "JUnit does not run it" : reason;
    }

    @Override
    public void executionStarted(TestDescriptor descriptor) {
        met |= descriptor.isTest() || descriptor.mayRegisterTests();
    }

    @Override
    public void executionFinished(TestDescriptor descriptor, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.FAILED && failure == null) {
            failure = result.getThrowable().orElse(null);
        }
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            String message = result.getThrowable().map(Throwable::getMessage).orElse(null);
            skipped = "its assumption does not hold" + (message == null ? "" : ": " + message);
        }
        succeeded |= descriptor.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
    }

    @Override
    public void reportingEntryPublished(TestDescriptor descriptor, ReportEntry entry) {}

    /** What the project's `junit-platform.properties` say, as when JUnit is started by a build tool. */
    private static Properties configured() {
        Properties properties = new Properties();
        try (InputStream file = CounterpointJUnit5.class.getResourceAsStream("/junit-platform.properties")) {
            if (file != null) {
                properties.load(file);
            }
        } catch (IOException unreadable) {
            // JUnit itself would go on without them.
        }
        // A test that hangs is found to wait for ever, and one test alone has nothing to run beside it.
        properties.setProperty("junit.jupiter.execution.timeout.mode", "disabled");
        properties.remove("junit.jupiter.execution.parallel.enabled");
        return properties;
    }

    @Override
    public Optional<String> get(String key) {
        return Optional.ofNullable(configuration.getProperty(key));
    }

    @Override
    public Optional<Boolean> getBoolean(String key) {
        return get(key).map(Boolean::parseBoolean);
    }

    /** Only earlier versions of JUnit ask for it. */
    public int size() {
        return configuration.size();
    }

    @Override
    public Set<String> keySet() {
        return configuration.stringPropertyNames();
    }
}
