package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.KnowledgeSource;
import io.hiroba.knowledge.SourceChunk;
import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.ScriptLanguage;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A source with a page of its chunks.
 *
 * @param uri the URI of the original, as given
 * @param original the same, if it is safe to link to
 * @param file the URL of the file it was made from, if that is kept
 * @param isRefreshable whether it can be fetched again
 * @param earlier the URL of the chunks before these, if any
 * @param more the URL of the chunks after these, if any
 * @param collections those that the reader may move it to
 */
public record SourceDetails(
        SourceItem source,
        @Nullable String uri,
        @Nullable String original,
        @Nullable String file,
        boolean isRefreshable,
        List<Fact> facts,
        List<Chunk> chunks,
        @Nullable String earlier,
        @Nullable String more,
        List<SearchForm.Choice> collections) {

    private static final int MAX_FACT_LENGTH = 300;

    /** The keys that Hiroba itself writes; the others are their owner's words. */
    private static final Set<String> KNOWN = Set.of(
            "channel_id",
            "channel_name",
            "content_length",
            "file_name",
            "file_size",
            "first_message_index",
            "line_count",
            "message_count",
            "mime_type",
            "origin_session_key",
            "page_count",
            "page_title",
            "post_id",
            "row_count",
            "scraped_at",
            "sheet_count",
            "slide_count",
            "unreadable_count",
            "url");

    /** Shown elsewhere on the page, or of use to programs only. */
    private static final Set<String> HIDDEN = Set.of("uploaded_by", "origin_session_id");

    /** A property of a source. */
    public record Fact(String name, String value) {}

    public SourceDetails {
        facts = List.copyOf(facts);
        chunks = List.copyOf(chunks);
        collections = List.copyOf(collections);
    }

    /** The scalar metadata of a source. */
    static List<Fact> facts(KnowledgeSource source, Reader reader) {
        var facts = new ArrayList<Fact>();
        source.metadata().properties().forEach(entry -> {
            var value = entry.getValue();
            if (!HIDDEN.contains(entry.getKey())
                    && value.isValueNode()
                    && !value.isNull()
                    && value.asString().length() <= MAX_FACT_LENGTH) {
                facts.add(new Fact(name(entry.getKey(), reader), formatted(entry.getKey(), value, reader)));
            }
        });
        return facts;
    }

    private static String formatted(String key, JsonNode value, Reader reader) {
        if (key.endsWith("_size") && value.isIntegralNumber()) {
            return reader.text("knowledge.bytes", "count", value.asLong());
        }
        return key.equals("scraped_at") ? dateTime(value.asString(), reader) : value.asString();
    }

    /** An owner may have written anything under this key. */
    private static String dateTime(String written, Reader reader) {
        try {
            return reader.dateTime(Instant.parse(written));
        } catch (DateTimeParseException e) {
            return written;
        }
    }

    private static String name(String key, Reader reader) {
        if (KNOWN.contains(key)) {
            return reader.text("knowledge.fact." + key.replace('_', '-'));
        }
        var words = key.replaceAll("([a-z])([A-Z])", "$1 $2").replace('_', ' ').toLowerCase(Locale.ROOT);
        return words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /**
     * A chunk of a source.
     *
     * @param number its position, from 1
     * @param place where it stands in the source
     * @param lang the language tag of its text, if its script tells it
     * @param path its source's page with it highlighted
     * @param isMarked whether it is highlighted
     * @param original the URL of its page in the file that the source was made from, if a browser can show it
     */
    public record Chunk(
            String id,
            int number,
            Text place,
            String content,
            @Nullable String lang,
            String path,
            boolean isMarked,
            @Nullable String original) {

        static Chunk of(SourceId source, SourceChunk chunk, boolean isMarked, @Nullable String original) {
            return new Chunk(
                    chunk.id().hex(),
                    chunk.position() + 1,
                    ChunkLocation.text(chunk.label()),
                    chunk.content(),
                    ScriptLanguage.tag(chunk.content()),
                    KnowledgePaths.chunk(source, chunk.id()),
                    isMarked,
                    original);
        }
    }

    /**
     * A chunk with its neighbours.
     *
     * @param page its source's page
     * @param original the URL of the original, if it can be opened
     */
    public record ChunkContext(
            String title, Text place, String page, @Nullable String original, List<Chunk> chunks) {

        public ChunkContext {
            chunks = List.copyOf(chunks);
        }
    }
}
