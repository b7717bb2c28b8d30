package io.hiroba.platform.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.db.OutageFilter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures logback: the log of the server and that of requests, in the folder that the system property {@code hiroba.log.dir} names,
 * as the launcher sets it in the background, or on the error output, since standard output is for what the operator reads at the
 * start. In code, since reading it as XML was an eighth of a start.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogConfigurator extends ContextAwareBase implements Configurator {

    /** Until the settings are known. */
    private static final LogConfig USUAL =
            new LogConfig(LogConfig.Format.TEXT, LogConfig.Level.INFO, ByteSize.parse("10MB"), 5);

    private static final Map<String, Level> LEVELS = Map.of(
            "org.eclipse.jetty", Level.WARN,
            "io.javalin", Level.WARN,
            "com.zaxxer.hikari", Level.WARN,
            // Warns of each connection that ended with the database.
            "com.zaxxer.hikari.pool.PoolBase", Level.ERROR,
            "org.flywaydb", Level.WARN,
            "io.lettuce", Level.WARN,
            "io.netty", Level.WARN,
            // Warns, with a stack trace, of calls that a caller makes too large.
            "io.grpc", Level.ERROR,
            // Warns of every machine without a graphics card.
            "ai.djl", Level.ERROR);

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        configure(context, USUAL, folder());
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Configures the log anew, as it is set. */
    public static void configure(LogConfig config) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            configure(context, config, folder());
        }
    }

    private static Optional<Path> folder() {
        return Optional.ofNullable(System.getProperty("hiroba.log.dir")).map(Path::of);
    }

    static void configure(LoggerContext context, LogConfig config, Optional<Path> folder) {
        context.reset();
        LEVELS.forEach((name, level) -> context.getLogger(name).setLevel(level));
        var time = folder.isPresent() ? "%d{yyyy-MM-dd HH:mm:ss.SSS}" : "%d{HH:mm:ss.SSS}";
        var lines = config.format() == LogConfig.Format.JSON
                ? new JsonLogEncoder()
                : pattern(time + " %-5level %logger{24} %msg %X{requestId}%n");
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(config.level().name()));
        root.addAppender(appender(context, "server", lines, config, folder));
        var access = context.getLogger("access");
        access.setLevel(Level.INFO);
        access.setAdditive(false);
        // One JSON object a line, with nothing around it, so that a program can read the lines that begin with a brace.
        access.addAppender(appender(context, "access", pattern("%msg%n"), config, folder));
        context.addTurboFilter(new OutageFilter());
    }

    private static PatternLayoutEncoder pattern(String pattern) {
        var encoder = new PatternLayoutEncoder();
        encoder.setPattern(pattern);
        return encoder;
    }

    private static OutputStreamAppender<ILoggingEvent> appender(
            LoggerContext context,
            String name,
            Encoder<ILoggingEvent> encoder,
            LogConfig config,
            Optional<Path> folder) {
        encoder.setContext(context);
        encoder.start();
        var appender =
                folder.map(place -> rolling(context, name, config, place)).orElseGet(LogConfigurator::errorOutput);
        appender.setContext(context);
        appender.setName(name);
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }

    private static OutputStreamAppender<ILoggingEvent> errorOutput() {
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setTarget("System.err");
        return appender;
    }

    private static OutputStreamAppender<ILoggingEvent> rolling(
            LoggerContext context, String name, LogConfig config, Path folder) {
        var appender = new RollingFileAppender<ILoggingEvent>();
        appender.setFile(folder.resolve(name + ".log").toString());
        var files = new FixedWindowRollingPolicy();
        files.setContext(context);
        files.setParent(appender);
        files.setFileNamePattern(folder.resolve(name + ".%i.log").toString());
        files.setMaxIndex(config.files() - 1);
        files.start();
        var size = new SizeBasedTriggeringPolicy<ILoggingEvent>();
        size.setContext(context);
        size.setMaxFileSize(new FileSize(config.fileSize().bytes()));
        // The size is looked at each second, not each minute as it would be otherwise.
        size.setCheckIncrement(Duration.buildBySeconds(1));
        size.start();
        appender.setRollingPolicy(files);
        appender.setTriggeringPolicy(size);
        return appender;
    }
}
