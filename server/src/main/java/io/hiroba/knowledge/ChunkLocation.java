package io.hiroba.knowledge;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The location of a chunk in its source, for citations.
 *
 * @param url the URL of the chunk; null for the source's own
 * @param label for people, for example {@code Page 3}
 * @param details further properties, by names in snake_case: page, section, message_index, …
 */
public record ChunkLocation(@Nullable String url, String label, Map<String, Object> details) {

    public ChunkLocation {
        details = Map.copyOf(details);
    }

    public static ChunkLocation of(String label) {
        return new ChunkLocation(null, label, Map.of());
    }
}
