package shop;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;

/** The project's own mark of a test. */
@Test
@Retention(RetentionPolicy.RUNTIME)
@interface Quick {}
