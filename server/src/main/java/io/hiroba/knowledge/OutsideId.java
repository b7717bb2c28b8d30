package io.hiroba.knowledge;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An id that another system gave, of 64 bits: a channel's, a person's. In JSON it is a text of digits, since a number would
 * lose its last ones in JavaScript; a number is taken, too.
 */
public final class OutsideId {

    private OutsideId() {}

    /** The id in {@code json}; none if there is nothing. */
    public static @Nullable Long read(String field, @Nullable JsonNode json) {
        return json == null || json.isNull() ? null : read(field, json.asString());
    }

    /** The id that {@code text} spells; none if there is nothing. */
    public static @Nullable Long read(String field, @Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw KnowledgeProblem.invalid(field, "must be an id of digits");
        }
    }

    /** As it is written in JSON. */
    public static @Nullable String text(@Nullable Long id) {
        return id == null ? null : String.valueOf(id);
    }
}
