package io.hiroba;

import java.text.MessageFormat;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes records of {@code java.util.logging}, which gRPC and the JDK use, on to the log of the server. By itself the JDK
 * writes them to the error output, which the launcher keeps in a file that never rotates.
 */
final class JavaLogHandler extends Handler {

    /** Makes this the only handler, and logs exceptions that end a thread. */
    static void install() {
        LogManager.getLogManager().reset();
        Logger.getLogger("").addHandler(new JavaLogHandler());
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) ->
                LoggerFactory.getLogger(JavaLogHandler.class).error("Thread {} ended", thread.getName(), failure));
    }

    @Override
    public void publish(LogRecord logged) {
        var log = LoggerFactory.getLogger(String.valueOf(logged.getLoggerName()));
        var message = message(logged);
        int level = logged.getLevel().intValue();
        if (level >= Level.SEVERE.intValue()) {
            log.error(message, logged.getThrown());
        } else if (level >= Level.WARNING.intValue()) {
            log.warn(message, logged.getThrown());
        } else if (level >= Level.INFO.intValue()) {
            log.info(message, logged.getThrown());
        } else {
            log.debug(message, logged.getThrown());
        }
    }

    private static String message(LogRecord logged) {
        var message = String.valueOf(logged.getMessage());
        var parameters = logged.getParameters();
        if (parameters == null || parameters.length == 0) {
            return message;
        }
        try {
            return MessageFormat.format(message, parameters);
        } catch (IllegalArgumentException e) {
            return message;
        }
    }

    @Override
    public void flush() {
        // The log of the server decides when to write.
    }

    @Override
    public void close() {
        // As above.
    }
}
