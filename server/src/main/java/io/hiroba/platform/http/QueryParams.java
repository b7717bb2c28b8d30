package io.hiroba.platform.http;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The query parameters of a request. An empty one counts as missing; an invalid one is a problem that names it. */
public final class QueryParams {

    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    private final Context ctx;
    private final BiFunction<String, Text, Problem> problem;

    private QueryParams(Context ctx, BiFunction<String, Text, Problem> problem) {
        this.ctx = ctx;
        this.problem = problem;
    }

    public static QueryParams of(Context ctx) {
        return of(ctx, HttpProblem::invalid);
    }

    /**
     * Reads the parameters of a request.
     *
     * @param problem makes the problem of a parameter from its name and what is wrong with it
     */
    public static QueryParams of(Context ctx, BiFunction<String, Text, Problem> problem) {
        return new QueryParams(ctx, problem);
    }

    public @Nullable String text(String name) {
        var text = ctx.queryParam(name);
        return text == null || text.isEmpty() ? null : text;
    }

    /** False where it is not given. */
    public boolean flag(String name) {
        return flag(name, false);
    }

    public boolean flag(String name, boolean defaultValue) {
        var text = text(name);
        return switch (text) {
            case null -> defaultValue;
            case "true" -> true;
            case "false" -> false;
            default -> throw problem.apply(name, Text.of("http.field.boolean"));
        };
    }

    /** The constant of this name, in the case it is written in. */
    public <E extends Enum<E>> @Nullable E constant(String name, Class<E> type) {
        return constant(name, type, List.of());
    }

    /** As above; null for one of {@code others} too, which a refusal names with the constants. */
    public <E extends Enum<E>> @Nullable E constant(String name, Class<E> type, List<String> others) {
        var text = text(name);
        if (text == null || others.contains(text)) {
            return null;
        }
        for (var each : type.getEnumConstants()) {
            if (each.name().equals(text)) {
                return each;
            }
        }
        var constants = Arrays.stream(type.getEnumConstants()).map(Enum::name);
        var all = Stream.concat(constants, others.stream()).collect(Collectors.joining(", "));
        throw problem.apply(name, Text.of("http.field.one-of", "values", all));
    }

    public int integer(String name, int defaultValue, int min, int max) {
        var text = text(name);
        if (text == null) {
            return defaultValue;
        }
        if (text.matches("-?[0-9]{1,9}")) {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw problem.apply(name, Text.of("http.field.number-between", "min", min, "max", max));
    }

    public Instant time(String name, Instant defaultValue) {
        var text = text(name);
        if (text == null) {
            return defaultValue;
        }
        try {
            var time = Instant.parse(text);
            if (!time.isBefore(EARLIEST) && time.isBefore(LATEST)) {
                return time;
            }
        } catch (DateTimeParseException e) {
            // Refused below, as is a time out of the range of the database.
        }
        throw problem.apply(name, Text.of("http.field.time"));
    }
}
