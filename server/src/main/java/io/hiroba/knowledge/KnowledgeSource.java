package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.knowledge.KnowledgeCollections.Visibility;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A source with its embedding progress.
 *
 * @param uri the URL of the original, if any
 * @param isPublic whether everybody may read it, by itself or by its collection
 * @param origin the identity of what it was created from, if that can be read again
 * @param collection the collection that decides who may read it; null if its owner does
 */
public record KnowledgeSource(
        SourceId id,
        UserId owner,
        boolean isPublic,
        SourceType type,
        String title,
        @Nullable String uri,
        @Nullable String origin,
        Progress progress,
        JsonNode metadata,
        Instant updatedAt,
        @Nullable InCollection collection) {

    /** The prefix of the origin of fetched pages. */
    static final String URL = "url:";

    /** The owner of sources that are nobody's: who may read them follows from their collection alone. */
    static final UserId NOBODY = new UserId(0);

    /** The metadata key of the page's own title, which shows whether the owner renamed the source. */
    static final String PAGE_TITLE = "page_title";

    /**
     * The collection of a source.
     *
     * @param role the caller's, if they have one
     */
    public record InCollection(
            CollectionId id,
            String name,
            Visibility visibility,
            @Nullable Role role) {}

    /** Whether {@code caller} may change it: its owner, or, if it is in a collection, the editors of that. */
    public boolean mayChange(Caller caller) {
        if (isNobodys()) {
            return false;
        }
        if (collection == null) {
            return caller.mayChange(owner);
        }
        return caller.admin() || (collection.role != null && collection.role.includes(Role.EDITOR));
    }

    /** Whether {@code caller} may delete it or take it out of its collection, which its owner always may. */
    public boolean mayRemove(Caller caller) {
        return mayChange(caller) || (!isNobodys() && caller.mayChange(owner));
    }

    /** Whether it has no owner and comes and goes with what it is made of. */
    public boolean isNobodys() {
        return owner.equals(NOBODY);
    }

    /** Whether {@code caller} reads it as an admin alone. */
    boolean isForeignTo(Caller caller) {
        return !isPublic && !owner.equals(caller.user()) && (collection == null || collection.role == null);
    }

    /** The readers, as in the API. */
    public Visibility visibility() {
        if (collection != null) {
            return collection.visibility;
        }
        if (isNobodys()) {
            return Visibility.SHARED;
        }
        return isPublic ? Visibility.PUBLIC : Visibility.PRIVATE;
    }

    /** The embedding progress: chunks that are embedded, queued or failed. */
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

    /** The embedding status of a source. */
    public enum Status {
        /** No chunk was claimed yet. */
        PENDING,
        PROCESSING,
        COMPLETED,
        /** Some of its chunks failed. */
        PARTIAL,
        /** All of its chunks failed. */
        FAILED
    }

    /** The title after {@code draft} is written: a title chosen by the owner stays, unless a new one is chosen. */
    String titleWith(SourceIngestion.Draft draft) {
        boolean isOfPage = title.equals(metadata.path(PAGE_TITLE).asString(""));
        return draft.titled() || (draft.origin() != null && isOfPage) ? draft.title() : title;
    }

    /** The URL it was fetched from, if any. */
    Optional<String> fetchedFrom() {
        return Optional.ofNullable(origin)
                .filter(from -> from.startsWith(URL))
                .map(from -> from.substring(URL.length()));
    }
}
