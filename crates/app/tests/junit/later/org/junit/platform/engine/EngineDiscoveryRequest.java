package org.junit.platform.engine;

import java.util.List;

/** The request of a later version, with a method that those who start an engine have to provide. */
public interface EngineDiscoveryRequest {
    <T extends DiscoverySelector> List<T> getSelectorsByType(Class<T> type);

    <T extends DiscoveryFilter<?>> List<T> getFiltersByType(Class<T> type);

    ConfigurationParameters getConfigurationParameters();

    default EngineDiscoveryListener getDiscoveryListener() {
        return EngineDiscoveryListener.NOOP;
    }

    default OutputDirectoryCreator getOutputDirectoryCreator() {
        throw new IllegalStateException("nobody knows where tests put their files");
    }
}
