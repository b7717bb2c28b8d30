package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.search.ConversationId;
import io.hiroba.platform.web.LocalPath;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The paths of the pages of knowledge. */
final class KnowledgePaths {

    static final String SEARCH = "/knowledge";
    static final String CHAT = SEARCH + "/chat";
    static final String SOURCES = SEARCH + "/sources";
    static final String COLLECTIONS = SEARCH + "/collections";
    static final String SESSIONS = SEARCH + "/sessions";
    static final String DEAD_LETTERS = SEARCH + "/dead-letters";
    /** Those of everybody, in the admin area. */
    static final String ALL_DEAD_LETTERS = "/admin/dead-letters";

    static final String POST_RULES = SEARCH + "/post-rules";

    private static final Pattern WEB = Pattern.compile("(?i)https?://[^\\s\"<>\\\\]{1,1990}");

    private KnowledgePaths() {}

    static String chat(ConversationId conversation) {
        return CHAT + "/" + conversation.hex();
    }

    static String collection(CollectionId collection) {
        return COLLECTIONS + "/" + collection.hex();
    }

    static String source(SourceId source) {
        return SOURCES + "/" + source.hex();
    }

    /** The source's page with the chunk highlighted. */
    static String chunk(SourceId source, ChunkId chunk) {
        return source(source) + "?chunk=" + chunk.hex();
    }

    /** The chunk with its neighbours, as an HTML fragment. */
    static String chunkContext(SourceId source, ChunkId chunk) {
        return source(source) + "/around?chunk=" + chunk.hex();
    }

    /** The original's URL if it is safe to link to: sources contain all kinds of URLs. */
    static @Nullable String original(@Nullable String url) {
        if (url == null || url.startsWith(SOURCES + "/")) {
            return null;
        }
        return WEB.matcher(url).matches() || LocalPath.isLocal(url) ? url : null;
    }

    /**
     * The file that the source was made from, a PDF at that page.
     *
     * @param page null for its beginning
     */
    static String originalFile(SourceId source, boolean isPdf, @Nullable Integer page) {
        var path = "/api/v1/knowledge/sources/" + source.hex() + "/original";
        return isPdf ? path + "?inline=true" + (page == null ? "" : "#page=" + page) : path;
    }

    /** A path with query parameters; empty ones are left out. */
    record Url(String path, Map<String, String> parameters) {

        static Url of(String path) {
            return new Url(path, Map.of());
        }

        Url with(String name, String value) {
            var more = new LinkedHashMap<>(parameters);
            more.put(name, value);
            return new Url(path, more);
        }

        String text() {
            var query = parameters.entrySet().stream()
                    .filter(parameter -> !parameter.getValue().isEmpty())
                    .map(parameter -> parameter.getKey() + "=" + encoded(parameter.getValue()))
                    .collect(Collectors.joining("&"));
            return query.isEmpty() ? path : path + "?" + query;
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        }
    }
}
