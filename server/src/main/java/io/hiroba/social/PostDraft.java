package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.i18n.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The content and settings of a post to be created or edited. */
public record PostDraft(
        String content, List<String> tags, @Nullable PostId replyTo, boolean allowLikes, boolean allowReplies) {

    private static final int MAX_LENGTH = 10_000;
    private static final int MAX_LENGTH_OF_ADMINS = 65_535;

    public PostDraft {
        if (content.isBlank()) {
            throw SocialProblem.invalid("content", Text.of("social.field.empty"));
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

    /** The most characters; for admins the limit of the column. */
    public static int maxLength(boolean admin) {
        return admin ? MAX_LENGTH_OF_ADMINS : MAX_LENGTH;
    }

    void requireLength(Caller caller) {
        int limit = maxLength(caller.admin());
        if (content.codePointCount(0, content.length()) > limit) {
            throw SocialProblem.invalid("content", Text.of("social.field.too-long", "max", limit));
        }
    }
}
