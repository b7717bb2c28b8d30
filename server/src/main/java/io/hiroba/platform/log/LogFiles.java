package io.hiroba.platform.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import io.hiroba.platform.db.OutageFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives the server's logs the form and the room that are set (ADR 130). */
public final class LogFiles {

    /** Between two looks at the room: short enough for a database that logs an error with each statement. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    /** What the launcher reads of the file that the output of this process goes to. */
    private static final List<String> KEPT = List.of("READY ", "DEMO ");

    private static final int MAX_KEPT_LINES = 100;

    private LogFiles() {}

    /** Configures the log anew: until the settings are known it has the usual form. */
    public static void configure(LogConfig config) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            configure(context, config, Map.of());
        }
    }

    /** @param more properties of {@code logback.xml} that are the system's otherwise */
    static void configure(LoggerContext context, LogConfig config, Map<String, String> more) {
        var file = Objects.requireNonNull(LogFiles.class.getResource("/logback.xml"));
        context.reset();
        more.forEach(context::putProperty);
        context.putProperty("hiroba.log.level", config.level().name());
        context.putProperty(
                "hiroba.log.file-size", Long.toString(config.fileSize().bytes()));
        context.putProperty("hiroba.log.former", Integer.toString(config.files() - 1));
        var configurator = new JoranConfigurator();
        configurator.setContext(context);
        try {
            configurator.doConfigure(file);
        } catch (JoranException e) {
            throw new IllegalStateException("logback.xml is part of this program", e);
        }
        context.addTurboFilter(new OutageFilter());
        if (config.format() == LogConfig.Format.JSON
                && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("log")
                        instanceof OutputStreamAppender<ILoggingEvent> appender) {
            var encoder = new JsonLogEncoder();
            encoder.setContext(context);
            encoder.start();
            appender.setEncoder(encoder);
        }
    }

    /** Empties {@code start.log} where it has grown too large: the JVM and libraries may write there whatever they like. */
    public static void trimStart(Path file, LogConfig config) {
        try {
            if (!Files.exists(file) || Files.size(file) <= config.fileSize().bytes()) {
                return;
            }
            var kept = new ArrayList<String>();
            try (var reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
                var line = reader.readLine();
                for (int read = 0; line != null && read < MAX_KEPT_LINES; read++) {
                    if (KEPT.stream().anyMatch(line::startsWith)) {
                        kept.add(line);
                    }
                    line = reader.readLine();
                }
            }
            try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
            Files.write(file, kept, StandardCharsets.ISO_8859_1, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("start.log could not be cut", e);
        }
    }
}
