package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source to insert.
 *
 * @param uri leads to the original, if there is an address
 * @param origin what it is made from, if that can come again: an owner has one source of each
 * @param contentHash SHA-256 of what was handed in, in hex; an owner has one source of each
 * @param place what its chunks can be filtered by
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
        Map<String, Object> metadata) {

    /** The channel and the person outside that a source is of. */
    public record Place(@Nullable Long channel, @Nullable Long user) {

        public static final Place NONE = new Place(null, null);
    }

    public NewSource {
        metadata = Map.copyOf(metadata);
    }
}
