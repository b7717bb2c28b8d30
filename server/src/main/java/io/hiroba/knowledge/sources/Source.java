package io.hiroba.knowledge.sources;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where knowledge comes from, and how far it is.
 *
 * @param uri leads to the original, if there is an address
 * @param origin what it was made from, if that can come again
 */
public record Source(
        SourceId id,
        UserId owner,
        boolean isPublic,
        SourceType type,
        String title,
        @Nullable String uri,
        @Nullable String origin,
        Progress progress,
        JsonNode metadata,
        Instant updatedAt) {

    /** Begins the origin of what was fetched from an address. */
    static final String URL = "url:";

    /** The fact how a page calls itself: by it is told whether its owner calls it otherwise. */
    static final String PAGE_TITLE = "page_title";

    /** How many of its chunks have a vector, wait for one, or will get none. */
    public record Progress(
            Status status,
            int chunks,
            int waiting,
            int dead,
            @Nullable String errorCode,
            @Nullable String errorMessage) {

        public int embedded() {
            return chunks - waiting - dead;
        }
    }

    /** How far a source is. */
    public enum Status {
        /** Nothing was tried yet. */
        PENDING,
        PROCESSING,
        COMPLETED,
        /** Some of its chunks will get no vector. */
        PARTIAL,
        /** None of them will. */
        FAILED
    }

    /** The title after {@code draft} is written: one that its owner chose stays, unless another is chosen. */
    String titleWith(Draft draft) {
        boolean isOfPage = title.equals(metadata.path(PAGE_TITLE).asString(""));
        return draft.titled() || (draft.origin() != null && isOfPage) ? draft.title() : title;
    }

    /** The address it was fetched from, if it was. */
    Optional<String> fetchedFrom() {
        return Optional.ofNullable(origin)
                .filter(from -> from.startsWith(URL))
                .map(from -> from.substring(URL.length()));
    }
}
