package org.junit.platform.engine;

import java.io.IOException;
import java.nio.file.Path;

/** Knows where tests put their files, as JUnit wants it from version 5.12 on. */
public interface OutputDirectoryCreator {
    Path getRootDirectory();

    Path createOutputDirectory(TestDescriptor test) throws IOException;
}
