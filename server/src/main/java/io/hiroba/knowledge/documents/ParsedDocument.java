package io.hiroba.knowledge.documents;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sections and metadata of a document.
 *
 * @param title what the document calls itself, if it does
 * @param facts what else is known of it, by names in snake_case: page_count, …
 */
public record ParsedDocument(@Nullable String title, List<Section> sections, Map<String, Object> facts) {

    public ParsedDocument {
        sections = List.copyOf(sections);
        facts = Map.copyOf(facts);
    }

    public ParsedDocument(@Nullable String title, List<Section> sections) {
        this(title, sections, Map.of());
    }
}
