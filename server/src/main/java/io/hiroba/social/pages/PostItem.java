package io.hiroba.social.pages;

import io.hiroba.platform.web.SafeHtml;
import io.hiroba.social.PostCard;
import io.hiroba.social.Tags;
import io.hiroba.social.pages.LikePages.LikeView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A post as pages show it to one reader.
 *
 * @param edited the exact time of the last edit; null if there was none
 * @param text the snippet in lists, the full text on its own page
 * @param lang the code of the language that it is written in; null if it is not known
 * @param isCut whether {@code text} is shortened
 */
public record PostItem(
        String id,
        AuthorView author,
        Time time,
        @Nullable String edited,
        SafeHtml text,
        @Nullable String lang,
        boolean isCut,
        List<String> tags,
        PostCard.@Nullable Parent replyTo,
        int replies,
        boolean takesReplies,
        boolean hasMyReply,
        LikeView like,
        boolean mayChange) {

    public PostItem {
        tags = List.copyOf(tags);
    }

    /** The time of posting: relative, exact, and in ISO 8601. */
    public record Time(String ago, String exact, String iso) {}

    public static String tagPath(String tag) {
        return Tags.path(tag);
    }

    PostItem expanded(String html) {
        return new PostItem(
                id,
                author,
                time,
                edited,
                SafeHtml.ofDocument(html),
                lang,
                false,
                tags,
                replyTo,
                replies,
                takesReplies,
                hasMyReply,
                like,
                mayChange);
    }
}
