package org.junit.platform.engine;

import java.util.Objects;
import org.junit.platform.engine.support.store.NamespacedHierarchicalStore;

/** The request of a later version, which does not work if it was made in the way of earlier ones. */
public class ExecutionRequest {
    private final TestDescriptor root;
    private final EngineExecutionListener listener;
    private final ConfigurationParameters parameters;
    private final NamespacedHierarchicalStore<Object> store;

    public ExecutionRequest(
        TestDescriptor root, EngineExecutionListener listener, ConfigurationParameters parameters) {
        this(root, listener, parameters, null);
    }

    private ExecutionRequest(
        TestDescriptor root,
        EngineExecutionListener listener,
        ConfigurationParameters parameters,
        NamespacedHierarchicalStore<Object> store) {
        this.root = root;
        this.listener = listener;
        this.parameters = parameters;
        this.store = store;
    }

    public static ExecutionRequest create(
        TestDescriptor root, EngineExecutionListener listener, ConfigurationParameters parameters) {
        return new ExecutionRequest(root, listener, parameters);
    }

    public static ExecutionRequest create(
        TestDescriptor root,
        EngineExecutionListener listener,
        ConfigurationParameters parameters,
        OutputDirectoryCreator files,
        NamespacedHierarchicalStore<Object> store,
        CancellationToken token) {
        Objects.requireNonNull(files.getRootDirectory());
        Objects.requireNonNull(token);
        return new ExecutionRequest(root, listener, parameters, store);
    }

    public TestDescriptor getRootTestDescriptor() {
        return root;
    }

    public EngineExecutionListener getEngineExecutionListener() {
        return listener;
    }

    public ConfigurationParameters getConfigurationParameters() {
        return parameters;
    }

    public NamespacedHierarchicalStore<Object> getStore() {
        return Objects.requireNonNull(store, "there is no store");
    }
}
