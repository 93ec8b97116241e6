package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OrdersTest {
    enum Kind { RETAIL, TRADE }

    static boolean begun;
    int open;

    @BeforeAll
    static void begin() {
        begun = true;
    }

    @BeforeEach
    void setUp() {
        assertTrue(begun);
        open = 1;
    }

    @AfterEach
    void tearDown() {
        assertTrue(open > 0);
    }

    @Test
    @DisplayName("an order gets lost")
    void losesAnOrder() throws Exception {
        Thread other = new Thread(() -> open++);
        other.start();
        open++;
        other.join();
        assertEquals(3, open);
    }

    @Test
    void keepsOrders() throws Exception {
        CompletableFuture<Integer> order = CompletableFuture.supplyAsync(() -> 41);
        assertEquals(42, order.get() + open);
    }

    @Test
    @EnabledIfSystemProperty(named = "shop.branch", matches = "abroad")
    void isForOtherBranches() {
        throw new AssertionError();
    }

    @Test
    void throwsAsExpected() {
        assertThrows(IllegalStateException.class, () -> { throw new IllegalStateException(); });
    }

    @Test
    void assumesTooMuch() {
        assumeTrue(open > 1);
        assertEquals(0, open);
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void endsInTime() throws Exception {
        Thread other = new Thread(() -> { });
        other.start();
        other.join();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void isSmall(int number) {
        assertTrue(number < 3, () -> number + " is too large");
    }

    static List<String> names() {
        return List.of("a", "b");
    }

    @ParameterizedTest
    @MethodSource("names")
    void hasAName(String name) {
        assertEquals(1, name.length());
    }

    static List<String> broken() {
        throw new IllegalStateException("no parameters");
    }

    @ParameterizedTest
    @MethodSource("broken")
    void neverGetsParameters(String name) {
        assertEquals(1, name.length());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void hasAKind(Kind kind) {
        assertTrue(kind.ordinal() < 2);
    }

    @RepeatedTest(1000)
    void failsOnceInAWhile() throws Exception {
        int[] seen = {0};
        Thread other = new Thread(() -> open = 2);
        other.start();
        seen[0] = open;
        other.join();
        assertEquals(1, seen[0]);
    }

    @TestFactory
    List<DynamicTest> made() {
        return List.of(dynamicTest("one", () -> assertEquals(1, open)), dynamicTest("two", () -> assertEquals(2, open)));
    }

    @Test
    @Disabled("not today")
    void disabled() {
        throw new AssertionError();
    }

    @Nested
    class WhenPaid {
        @BeforeEach
        void pay() {
            open = 5;
        }

        @Test
        void isOpen() {
            assertEquals(5, open);
        }
    }
}
