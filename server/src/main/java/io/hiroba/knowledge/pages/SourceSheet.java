package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.sources.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A source with some of its passages.
 *
 * @param uri where the original is, as it was said
 * @param original the same, if a link may lead there
 * @param isRefreshable whether it can be fetched again
 * @param facts what else is known of it
 * @param earlier where the passages before these are, if there are any
 * @param more where those after them are, if there are any
 * @param poll where to ask how far it is; empty if it is ready
 */
public record SourceSheet(
        SourceItem source,
        @Nullable String uri,
        @Nullable String original,
        boolean isRefreshable,
        List<Fact> facts,
        List<ChunkItem> chunks,
        @Nullable String earlier,
        @Nullable String more,
        String poll) {

    private static final int LONGEST_FACT = 300;

    /** Said elsewhere on the page, or of use to programs alone. */
    private static final Set<String> UNTOLD = Set.of("uploaded_by", "origin_session_id");

    /** Something that is known of a source. */
    public record Fact(String name, String value) {}

    public SourceSheet {
        facts = List.copyOf(facts);
        chunks = List.copyOf(chunks);
    }

    /** What a source's metadata say that is a word, a number or yes and no. */
    static List<Fact> facts(Source source) {
        var facts = new ArrayList<Fact>();
        source.metadata().properties().forEach(entry -> {
            var value = entry.getValue();
            if (!UNTOLD.contains(entry.getKey())
                    && value.isValueNode()
                    && !value.isNull()
                    && value.asString().length() <= LONGEST_FACT) {
                facts.add(new Fact(name(entry.getKey()), told(entry.getKey(), value)));
            }
        });
        return facts;
    }

    private static String told(String key, JsonNode value) {
        return key.endsWith("_size") && value.isIntegralNumber()
                ? "%,d bytes".formatted(value.asLong())
                : value.asString();
    }

    private static String name(String key) {
        var words = key.replaceAll("([a-z])([A-Z])", "$1 $2").replace('_', ' ').toLowerCase(Locale.ROOT);
        return words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
