package io.hiroba.saga;

import io.hiroba.platform.http.HttpProblem;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a list is filtered by, read from the query of a request. An empty parameter is none. */
final class Parameters {

    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    private final Context ctx;

    Parameters(Context ctx) {
        this.ctx = ctx;
    }

    @Nullable
    String text(String name) {
        var text = ctx.queryParam(name);
        return text == null || text.isEmpty() ? null : text;
    }

    boolean truth(String name) {
        var text = text(name);
        if (text != null && !text.equals("true") && !text.equals("false")) {
            throw HttpProblem.invalid(name, "must be true or false");
        }
        return "true".equals(text);
    }

    <E extends Enum<E>> @Nullable E one(String name, Class<E> type) {
        var text = text(name);
        if (text == null) {
            return null;
        }
        for (var each : type.getEnumConstants()) {
            if (each.name().equals(text)) {
                return each;
            }
        }
        var all = Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
        throw HttpProblem.invalid(name, "must be one of " + all);
    }

    Instant time(String name, Instant otherwise) {
        var text = text(name);
        if (text == null) {
            return otherwise;
        }
        try {
            var time = Instant.parse(text);
            if (time.isAfter(EARLIEST) && time.isBefore(LATEST)) {
                return time;
            }
        } catch (DateTimeParseException e) {
            // Said below, as for a time that the database does not know.
        }
        throw HttpProblem.invalid(name, "must be a time such as 2026-01-31T12:00:00.000Z");
    }
}
