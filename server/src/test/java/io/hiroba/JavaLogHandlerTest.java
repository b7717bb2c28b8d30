package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hiroba.testkit.TestLog;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JavaLogHandlerTest {

    @Test
    void whatLibrariesLogByTheJdkIsInTheLogOfTheServer() {
        var name = "io.hiroba.test.jdk";
        var appender = new ListAppender<ILoggingEvent>();
        appender.start();
        var log = TestLog.logger(name);
        log.addAppender(appender);
        var failure = new IllegalStateException("x");
        publish(name, java.util.logging.Level.SEVERE, "{0} of {1}", failure, 1, 2);
        publish(name, java.util.logging.Level.WARNING, "a brace { and {0}", failure, 1);
        publish(name, java.util.logging.Level.INFO, "plain", null);
        log.detachAppender(appender);
        assertThat(appender.list)
                .extracting(ILoggingEvent::getLevel, ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        tuple(Level.ERROR, "1 of 2"),
                        tuple(Level.WARN, "a brace { and {0}"),
                        tuple(Level.INFO, "plain"));
        assertThat(appender.list.getFirst().getThrowableProxy().getMessage()).isEqualTo("x");
    }

    private static void publish(
            String name,
            java.util.logging.Level level,
            String message,
            @Nullable Throwable failure,
            Object... parameters) {
        var logged = new LogRecord(level, message);
        logged.setLoggerName(name);
        logged.setThrown(failure);
        logged.setParameters(parameters);
        new JavaLogHandler().publish(logged);
    }
}
