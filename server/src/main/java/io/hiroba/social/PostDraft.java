package io.hiroba.social;

import io.hiroba.accounts.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What somebody wants to post, or to make of their post. */
public record PostDraft(
        String content, List<String> tags, @Nullable PostId replyTo, boolean allowLikes, boolean allowReplies) {

    static final int MAX_CONTENT = 10_000;
    static final int COLUMN_CONTENT = 65_535;

    public PostDraft {
        if (content.isBlank()) {
            throw SocialProblem.invalid("content", "must not be empty");
        }
        tags = Tags.parse(tags);
    }

    /** A post that everybody may like and reply to. */
    public static PostDraft of(String content, String... tags) {
        return new PostDraft(content, List.of(tags), null, true, true);
    }

    public PostDraft inReplyTo(PostId post) {
        return new PostDraft(content, tags, post, allowLikes, allowReplies);
    }

    /** Texts have a limit for people; an admin is held by the column only. */
    void requireLength(Caller caller) {
        int limit = caller.admin() ? COLUMN_CONTENT : MAX_CONTENT;
        if (content.codePointCount(0, content.length()) > limit) {
            throw SocialProblem.invalid("content", "must have at most " + limit + " characters");
        }
    }
}
