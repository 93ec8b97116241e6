package org.junit.platform.engine.support.store;

import java.util.Optional;

/** What tests share, as JUnit wants it from version 5.13 on. */
public final class NamespacedHierarchicalStore<N> {
    private final NamespacedHierarchicalStore<N> parent;

    public NamespacedHierarchicalStore(NamespacedHierarchicalStore<N> parent) {
        this.parent = parent;
    }

    public Optional<NamespacedHierarchicalStore<N>> getParent() {
        return Optional.ofNullable(parent);
    }
}
