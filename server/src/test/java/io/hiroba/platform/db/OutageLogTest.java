package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutageLogTest {

    private static final DbException GONE = new DbException(new SQLException("The connection was closed.", "08006"));

    /** What is logged meanwhile. */
    private static List<ILoggingEvent> logged(Logger log, Runnable work) {
        var appender = new ListAppender<ILoggingEvent>();
        appender.start();
        log.addAppender(appender);
        try {
            work.run();
        } finally {
            log.detachAppender(appender);
        }
        return appender.list;
    }

    private static Logger log() {
        var context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        context.addTurboFilter(new OutageFilter());
        return context.getLogger("test");
    }

    @Test
    void anOutageOfFourMinutesIsAHandfulOfLinesWithoutStackTraces() {
        var time = new AtomicLong();
        var log = log();
        var outage = new OutageLog(log, time::get);
        var lines = logged(log, () -> {
            outage.succeeded();
            for (int failure = 0; failure < 2400; failure++) {
                outage.failed(GONE);
                time.addAndGet(Duration.ofMillis(100).toNanos());
                outage.succeeded();
            }
            time.addAndGet(Duration.ofSeconds(11).toNanos());
            outage.succeeded();
            outage.succeeded();
        });
        assertThat(lines)
                .filteredOn(line -> line.getThrowableProxy() == null)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "The database is away: The connection was closed",
                        "The database has been away for 60 s, in which 601 attempts failed: The connection was closed",
                        "The database has been away for 120 s, in which 1201 attempts failed: The connection was closed",
                        "The database has been away for 180 s, in which 1801 attempts failed: The connection was closed",
                        "The database works again: it was away for 239 s, in which 2400 attempts failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"08006", "57P01", "57P03", "53300", "53100", "25006"})
    void whoFailsBecauseTheDatabaseIsAwayLogsNothing(String state) {
        var log = log();
        var failure = new IllegalStateException(new DbException(new SQLException("away", state)));
        assertThat(logged(log, () -> {
                    log.warn("{} failed", "work", failure);
                    log.error("{} {} failed", "GET", "/", failure);
                    log.warn("all failed", new SQLTransientConnectionException("no connection"));
                }))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"42P01", "57014", "23505"})
    void aDefectIsLoggedWithItsStackTrace(String state) {
        var log = log();
        var lines = logged(log, () -> log.warn("{} failed", "work", new DbException(new SQLException("x", state))));
        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line.getThrowableProxy()).isNotNull());
    }
}
