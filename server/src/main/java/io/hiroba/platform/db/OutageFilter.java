package io.hiroba.platform.db;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * A filter of the log that takes out what failed because the database is away, whoever logs it, and leaves it to {@link OutageLog}:
 * while it is, everything fails again and again, and the stack traces of that show no defect.
 */
public final class OutageFilter extends TurboFilter {

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        var failure = thrown == null ? last(arguments) : thrown;
        if (failure == null || !level.isGreaterOrEqual(logger.getEffectiveLevel()) || !SqlState.isAway(failure)) {
            return FilterReply.NEUTRAL;
        }
        OutageLog.SHARED.failed(failure);
        return FilterReply.DENY;
    }

    /** SLF4J takes an exception after all arguments for what was thrown. */
    private static @Nullable Throwable last(Object @Nullable [] arguments) {
        return arguments != null && arguments.length > 0 && arguments[arguments.length - 1] instanceof Throwable thrown
                ? thrown
                : null;
    }
}
