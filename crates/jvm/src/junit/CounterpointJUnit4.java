import java.io.PrintStream;
import java.util.ArrayList;
import org.junit.Ignore;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Asks JUnit 4: `list CLASS...` tells the tests of classes, and `run CLASS TEST` runs one test and throws what it
 * fails with. If JUnit does not run it, or an assumption ends it, a line says why.
 */
public final class CounterpointJUnit4 {
    public static void main(String[] arguments) throws Throwable {
        // A test may put another stream into its place.
        PrintStream out = System.out;
        if (arguments[0].equals("list")) {
            for (int index = 1; index < arguments.length; index++) {
                list(arguments[index], Request.aClass(type(arguments[index])).getRunner().getDescription());
            }
            System.out.println("counterpoint-end");
            return;
        }
        String wanted = arguments[2];
        Filter filter = new Filter() {
            @Override
            public boolean shouldRun(Description description) {
                if (description.isTest()) {
                    return plain(description.getDisplayName()).equals(wanted);
                }
                for (Description child : description.getChildren()) {
                    if (shouldRun(child)) {
                        return true;
                    }
                }
                return false;
            }

            @Override
            public String describe() {
                return wanted;
            }
        };
        JUnitCore core = new JUnitCore();
        String[] skipped = new String[1];
        core.addListener(new RunListener() {
            @Override
            public void testAssumptionFailure(Failure failure) {
                String message = failure.getMessage();
                skipped[0] = "its assumption does not hold" + (message == null ? "" : ": " + message);
            }

            @Override
            public void testIgnored(Description description) {
                skipped[0] = "JUnit does not run it";
            }
        });
        Result result = core.run(Request.aClass(type(arguments[1])).filterWith(filter));
        for (Failure failure : result.getFailures()) {
            throw failure.getException();
        }
        if (skipped[0] != null) {
            out.println("\ncounterpoint-skipped\t" + plain(skipped[0]));
        }
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name, false, CounterpointJUnit4.class.getClassLoader());
    }

    private static String plain(String text) {
        return text.replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    }

    private static void list(String type, Description description) {
        ArrayList<Description> children = description.getChildren();
        if (!description.isTest()) {
            for (Description child : children) {
                list(type, child);
            }
            return;
        }
        Ignore ignored = description.getAnnotation(Ignore.class);
        String name = description.getMethodName();
        System.out.println("counterpoint-test\t" + (ignored == null ? "test" : "ignored") + "\t"
            + type + "\t" + plain(name == null ? "" : name) + "\tjunit4:" + type + ":"
            + plain(description.getDisplayName()) + "\t" + plain(ignored == null ? "" : ignored.value()));
    }
}
