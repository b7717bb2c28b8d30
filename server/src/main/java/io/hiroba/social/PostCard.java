package io.hiroba.social;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A post as lists show it to one reader.
 *
 * @param snippet the stored form of the beginning of its content
 * @param replyTo what it replies to
 * @param lang the code of the language that it is written in; null if it is not known
 * @param updatedAt when it was last edited
 */
public record PostCard(
        PostId id,
        String snippet,
        Author ownedBy,
        @Nullable Parent replyTo,
        List<String> tags,
        boolean allowLikes,
        boolean allowReplies,
        @Nullable String lang,
        @Nullable Instant updatedAt,
        int countLikes,
        int countReplies,
        boolean likedByMe,
        boolean repliedByMe) {

    public PostCard {
        tags = List.copyOf(tags);
    }

    public Instant createdAt() {
        return id.createdAt();
    }

    /** A number that rises with each edit. */
    public long version() {
        return version(updatedAt);
    }

    static long version(@Nullable Instant updatedAt) {
        return updatedAt == null ? 0 : ChronoUnit.MICROS.between(Instant.EPOCH, updatedAt);
    }

    /**
     * The post that another one replies to.
     *
     * @param nickname of its author; null if a block hides them
     */
    public record Parent(PostId id, @Nullable String nickname) {}
}
