package counterpoint.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test, or all tests of a class, to be explored under every schedule by Counterpoint. The test is run in an
 * IDE or a build like any other. It fails if some schedule makes it fail, and the message shows that schedule.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(CounterpointExtension.class)
public @interface Explored {
    /** Options of {@code counterpoint test}, such as {@code {"--time", "30"}}. */
    String[] options() default {};
}
