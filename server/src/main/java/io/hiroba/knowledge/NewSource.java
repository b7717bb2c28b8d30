package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source to insert.
 *
 * @param uri the URL of the original, if any
 * @param origin the identity of what it is created from, unique per owner; null if it cannot be read again
 * @param contentHash the SHA-256 of the input in hex, unique per owner
 * @param place the channel and user by which chunks are filtered
 * @param collection null for its owner's own; a source in a collection is not public by itself
 */
public record NewSource(
        UserId owner,
        boolean isPublic,
        SourceType type,
        String title,
        @Nullable String uri,
        @Nullable String origin,
        @Nullable String contentHash,
        Place place,
        Map<String, Object> metadata,
        @Nullable CollectionId collection) {

    /** A source in no collection. */
    public NewSource(
            UserId owner,
            boolean isPublic,
            SourceType type,
            String title,
            @Nullable String uri,
            @Nullable String origin,
            @Nullable String contentHash,
            Place place,
            Map<String, Object> metadata) {
        this(owner, isPublic, type, title, uri, origin, contentHash, place, metadata, null);
    }

    /** The channel and user of a source in a chat system. */
    public record Place(@Nullable Long channel, @Nullable Long user) {

        public static final Place NONE = new Place(null, null);
    }

    public NewSource {
        metadata = Map.copyOf(metadata);
    }

    /** The same with another title. */
    public NewSource titled(String other) {
        return new NewSource(owner, isPublic, type, other, uri, origin, contentHash, place, metadata, collection);
    }
}
