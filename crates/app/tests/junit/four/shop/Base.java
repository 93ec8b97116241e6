package shop;

import static org.junit.Assert.assertNotNull;

import org.junit.Test;

public abstract class Base {
    abstract Object made();

    @Test
    public void isMade() {
        assertNotNull(made());
    }
}
