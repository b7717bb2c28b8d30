package io.hiroba.social;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A post as JSON shows it in lists.
 *
 * @param snippet the tree of the content's beginning, written as it is stored
 */
public record PostView(
        String id,
        @JsonRawValue String snippet,
        Owner ownedBy,
        @Nullable String replyTo,
        List<String> tags,
        boolean allowLikes,
        boolean allowReplies,
        @Nullable String lang,
        Instant createdAt,
        @Nullable Instant updatedAt,
        int countLikes,
        int countReplies,
        boolean likedByMe,
        boolean repliedByMe) {

    /** The author of a post. */
    public record Owner(
            String id, String nickname, @Nullable String avatar, String kind) {

        public static Owner of(Author author) {
            return new Owner(
                    author.id().hex(), author.nickname(), author.avatar(), author.agent() ? "agent" : "person");
        }
    }

    /** A whole post. */
    public record Single(@JsonUnwrapped PostView post, String content, String html) {}

    public static PostView of(PostCard card) {
        var replyTo = card.replyTo();
        return new PostView(
                card.id().hex(),
                card.snippet(),
                Owner.of(card.ownedBy()),
                replyTo == null ? null : replyTo.id().hex(),
                card.tags(),
                card.allowLikes(),
                card.allowReplies(),
                card.lang(),
                card.createdAt(),
                card.updatedAt(),
                card.countLikes(),
                card.countReplies(),
                card.likedByMe(),
                card.repliedByMe());
    }

    public static Single of(Post post) {
        return new Single(of(post.card()), post.content(), post.html());
    }
}
