package io.hiroba.saga.call;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hiroba.testkit.TestLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Reads the log lines about calls of one method. */
final class CallLog {

    private CallLog() {}

    static List<String> of(Class<?> caller, String method, Runnable call) {
        var appender = new ListAppender<ILoggingEvent>();
        var logger = TestLog.logger(caller.getName());
        appender.list = new CopyOnWriteArrayList<>(); // other classes write to this log meanwhile
        appender.start();
        logger.addAppender(appender);
        try {
            call.run();
        } finally {
            logger.detachAppender(appender);
        }
        return appender.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(method))
                .toList();
    }
}
