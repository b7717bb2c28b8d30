package io.hiroba.knowledge;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where in its source a chunk stands, for citing it.
 *
 * @param url leads to the passage; none means that the source's own address is the nearest
 * @param label what people read, for example {@code Page 3}
 * @param details what else is known of the place, by names in snake_case: page, section, message_index, …
 */
public record Location(@Nullable String url, String label, Map<String, Object> details) {

    public Location {
        details = Map.copyOf(details);
    }

    public static Location of(String label) {
        return new Location(null, label, Map.of());
    }
}
