package io.hiroba.activity;

import io.hiroba.social.PostId;
import io.hiroba.social.PostView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of a card.
 *
 * @param updatedAt to the microsecond, to be handed back when the card is marked as read
 */
record CardView(
        String slot,
        String kind,
        String term,
        boolean isRead,
        Instant createdAt,
        String updatedAt,
        int countUsers,
        @Nullable Integer countPosts,
        @Nullable Subject post,
        List<ActView> records) {

    /** The post that a card is about, and the first words of the newest reply if it is about replies. */
    record Subject(
            String id,
            String excerpt,
            boolean mine,
            @Nullable String replyExcerpt) {

        static @Nullable Subject of(Card.@Nullable Post post) {
            return post == null
                    ? null
                    : new Subject(
                            post.id().hex(),
                            post.excerpt(),
                            post.mine(),
                            post.reply() == null ? null : post.replyExcerpt());
        }
    }

    /** A single act of one person. */
    record ActView(
            Instant at, PostView.Owner user, @Nullable String postId) {

        static ActView of(Card.Act act) {
            return new ActView(act.at(), PostView.Owner.of(act.user()), hex(act.post()));
        }

        private static @Nullable String hex(@Nullable PostId post) {
            return post == null ? null : post.hex();
        }
    }

    static CardView of(Card card) {
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
                card.acts().stream().map(ActView::of).toList());
    }
}
