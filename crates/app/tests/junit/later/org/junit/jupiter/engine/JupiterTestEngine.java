package org.junit.jupiter.engine;

import java.util.Objects;
import org.junit.jupiter.engine.config.CachingJupiterConfiguration;
import org.junit.jupiter.engine.config.DefaultJupiterConfiguration;
import org.junit.jupiter.engine.config.JupiterConfiguration;
import org.junit.jupiter.engine.descriptor.JupiterEngineDescriptor;
import org.junit.jupiter.engine.discovery.DiscoverySelectorResolver;
import org.junit.jupiter.engine.execution.JupiterEngineExecutionContext;
import org.junit.jupiter.engine.support.JupiterThrowableCollectorFactory;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.hierarchical.HierarchicalTestEngine;
import org.junit.platform.engine.support.hierarchical.ThrowableCollector;

/** The engine of JUnit 5.9 with the demands of later versions on those who start it. */
public final class JupiterTestEngine extends HierarchicalTestEngine<JupiterEngineExecutionContext> {
    @Override
    public String getId() {
        return "junit-jupiter";
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
        Objects.requireNonNull(request.getDiscoveryListener());
        Objects.requireNonNull(request.getOutputDirectoryCreator());
        JupiterConfiguration configuration =
            new CachingJupiterConfiguration(new DefaultJupiterConfiguration(request.getConfigurationParameters()));
        JupiterEngineDescriptor descriptor = new JupiterEngineDescriptor(id, configuration);
        new DiscoverySelectorResolver().resolveSelectors(request, descriptor);
        return descriptor;
    }

    @Override
    protected JupiterEngineExecutionContext createExecutionContext(ExecutionRequest request) {
        request.getStore().getParent().orElseThrow(() -> new IllegalStateException("the store has no parent"));
        JupiterEngineDescriptor descriptor = (JupiterEngineDescriptor) request.getRootTestDescriptor();
        return new JupiterEngineExecutionContext(request.getEngineExecutionListener(), descriptor.getConfiguration());
    }

    @Override
    protected ThrowableCollector.Factory createThrowableCollectorFactory(ExecutionRequest request) {
        return JupiterThrowableCollectorFactory::createThrowableCollector;
    }
}
