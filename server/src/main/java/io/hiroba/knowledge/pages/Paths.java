package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.platform.web.LocalPath;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Addresses of the pages of knowledge. */
final class Paths {

    static final String ALL = "/knowledge";
    static final String ASK = ALL + "/ask";
    static final String SOURCES = ALL + "/sources";
    static final String SESSIONS = ALL + "/sessions";
    static final String DEAD_LETTERS = ALL + "/dead-letters";
    static final String RULES = ALL + "/post-rules";

    private static final Pattern WEB = Pattern.compile("(?i)https?://[^\\s\"<>\\\\]{1,1990}");

    private Paths() {}

    static String source(SourceId source) {
        return SOURCES + "/" + source.hex();
    }

    /** The source's page, where the passage is marked. */
    static String passage(SourceId source, ChunkId chunk) {
        return source(source) + "?chunk=" + chunk.hex();
    }

    /** The passage in its surroundings, as a piece of a page. */
    static String around(SourceId source, ChunkId chunk) {
        return source(source) + "/around?chunk=" + chunk.hex();
    }

    /** Where the original is, if a link may lead there: sources name all kinds of addresses. */
    static @Nullable String original(@Nullable String url) {
        if (url == null || url.startsWith(SOURCES + "/")) {
            return null;
        }
        return WEB.matcher(url).matches() || LocalPath.isLocal(url) ? url : null;
    }

    /** For a path or a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
