package io.hiroba.knowledge.reading;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a document.
 *
 * @param title what the document calls itself, if it does
 * @param facts what else is known of it, by names in snake_case: page_count, …
 */
public record Reading(@Nullable String title, List<Section> sections, Map<String, Object> facts) {

    public Reading {
        sections = List.copyOf(sections);
        facts = Map.copyOf(facts);
    }

    public Reading(@Nullable String title, List<Section> sections) {
        this(title, sections, Map.of());
    }
}
