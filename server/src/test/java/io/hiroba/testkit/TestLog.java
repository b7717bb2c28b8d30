package io.hiroba.testkit;

import ch.qos.logback.classic.Logger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.LoggerFactory;

/** The log of this JVM, for tests that read it. */
public final class TestLog {

    private TestLog() {}

    /** The logger of this name. While another thread starts the log, it has substitutes only. */
    public static Logger logger(String name) {
        while (true) {
            if (LoggerFactory.getLogger(name) instanceof Logger logger) {
                return logger;
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
