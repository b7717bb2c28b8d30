package io.hiroba.activity;

import io.hiroba.social.Author;
import io.hiroba.social.PostId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A notification card: what happened to one resource of a reader on one day, as that reader sees it.
 *
 * @param term the day, as {@code 2025-08-22}
 * @param updatedAt when its newest act was stored, to the microsecond
 * @param countPosts replies or posts with mentions; none where acts are no posts
 * @param post the post it is about; none for follows, and where the post was deleted
 * @param acts the newest ten, newest first, without those of deleted accounts
 */
record Card(
        Slot slot,
        String term,
        boolean read,
        Instant createdAt,
        Instant updatedAt,
        int countUsers,
        @Nullable Integer countPosts,
        @Nullable Post post,
        List<Act> acts) {

    CardPosition position() {
        return new CardPosition(updatedAt, slot.text(), term);
    }

    /**
     * A single act of one person.
     *
     * @param post the reply, or the post with the mention; none for a follow or a like
     */
    record Act(Instant at, Author user, @Nullable PostId post) {}

    /**
     * The post that a card is about.
     *
     * @param snippet the stored form of its beginning
     * @param mine whether the card's reader wrote it
     * @param reply the stored form of the beginning of the newest reply; none where the card is not about replies
     */
    record Post(
            PostId id,
            String snippet,
            boolean mine,
            @Nullable String reply) {

        /** The first words of the newest reply; empty if there is none. */
        String replyExcerpt() {
            return reply == null ? "" : PostExcerpt.of(reply);
        }

        String excerpt() {
            return PostExcerpt.of(snippet);
        }
    }
}
