package org.junit.platform.engine;

final class NeverCancelled implements CancellationToken {}
