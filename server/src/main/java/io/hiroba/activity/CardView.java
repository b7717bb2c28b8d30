package io.hiroba.activity;

import io.hiroba.social.PostId;
import io.hiroba.social.PostView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A card as JSON shows it.
 *
 * @param updatedAt to the microsecond, to be handed back when the card is marked as read
 */
public record CardView(
        String slot,
        String kind,
        String term,
        boolean isRead,
        Instant createdAt,
        String updatedAt,
        int countUsers,
        @Nullable Integer countPosts,
        @Nullable Subject post,
        List<Done> records) {

    /** The post that a card is about. */
    public record Subject(String id, String excerpt, boolean mine) {

        static @Nullable Subject of(@Nullable CardPost post) {
            return post == null ? null : new Subject(post.id().hex(), post.excerpt(), post.mine());
        }
    }

    /** What one person did once. */
    public record Done(
            Instant at, PostView.Owner user, @Nullable String postId) {

        static Done of(Act act) {
            return new Done(act.at(), PostView.Owner.of(act.user()), hex(act.post()));
        }

        private static @Nullable String hex(@Nullable PostId post) {
            return post == null ? null : post.hex();
        }
    }

    public static CardView of(Card card) {
        return new CardView(
                card.slot().text(),
                card.slot().kind().text(),
                card.term(),
                card.read(),
                card.createdAt(),
                CardTime.text(card.updatedAt()),
                card.countUsers(),
                card.countPosts(),
                Subject.of(card.post()),
                card.acts().stream().map(Done::of).toList());
    }
}
