package io.hiroba.activity;

import io.hiroba.platform.id.Ids;
import io.hiroba.social.PostId;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a card is about: the reader, who was followed, or a post.
 *
 * @param post the post that was liked, replied to or has the mention; none for a follow
 */
public record Slot(Kind kind, @Nullable PostId post) {

    private static final Pattern OF_POST = Pattern.compile("(like|reply|mention):([0-7][0-9A-F]{15})");

    public static final Slot FOLLOW = new Slot(Kind.FOLLOW, null);

    public static Slot of(Kind kind, PostId post) {
        return new Slot(kind, post);
    }

    public static Optional<Slot> find(String text) {
        if (text.equals(FOLLOW.text())) {
            return Optional.of(FOLLOW);
        }
        var match = OF_POST.matcher(text);
        return match.matches()
                ? Kind.find(match.group(1)).map(kind -> of(kind, new PostId(Ids.parse(match.group(2)))))
                : Optional.empty();
    }

    /** As it stands in the table and in the API. */
    public String text() {
        return post == null ? kind.text() : kind.text() + ":" + post.hex();
    }
}
