package org.junit.platform.engine;

/** Whether a run was called off, as in version 6. */
public sealed interface CancellationToken permits NeverCancelled {
    static CancellationToken disabled() {
        return new NeverCancelled();
    }
}
