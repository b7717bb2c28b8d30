package io.hiroba.platform.live;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The positions of a stream in each of its sources; as the id of a message {@code cards=1763197200000000;posts=19A8…}.
 * It is not signed: what a reader may see does not depend on it.
 */
record LivePositions(Map<String, String> bySource) {

    static final String FIELD = "Last-Event-ID";

    private static final int MAX_LENGTH = 1400;
    private static final String ONE = "[a-z]{1,16}=[0-9A-Za-z]{1,1000}";
    private static final Pattern TEXT = Pattern.compile(ONE + "(;" + ONE + ")*");

    LivePositions {
        bySource = Map.copyOf(bySource);
    }

    /** As the request names them: in the header if the browser reconnected, in the query if a script did. */
    static LivePositions of(Context ctx) {
        var header = ctx.header(FIELD);
        var text = header == null || header.isEmpty() ? ctx.queryParam("lastEventId") : header;
        return text == null || text.isEmpty() ? new LivePositions(Map.of()) : parse(text);
    }

    /** Parses an id. Unknown sources are preserved: a newer version may have written it. */
    static LivePositions parse(String text) {
        if (text.length() > MAX_LENGTH || !TEXT.matcher(text).matches()) {
            throw HttpProblem.invalid(FIELD, Text.of("http.field.no-message"));
        }
        var positions = new LinkedHashMap<String, String>();
        for (var part : text.split(";", -1)) {
            int equals = part.indexOf('=');
            positions.put(part.substring(0, equals), part.substring(equals + 1));
        }
        return new LivePositions(positions);
    }

    Optional<String> of(LiveSource source) {
        return Optional.ofNullable(bySource.get(source.name()));
    }

    /** The id of a message at these positions, of which there is at least one. */
    static String text(Map<String, String> bySource) {
        return bySource.entrySet().stream()
                .map(position -> position.getKey() + "=" + position.getValue())
                .collect(Collectors.joining(";"));
    }
}
