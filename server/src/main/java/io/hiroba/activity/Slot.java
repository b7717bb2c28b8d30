package io.hiroba.activity;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.PostId;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The subject of a card: the reader, who was followed, or a post.
 *
 * @param post the post that was liked, replied to or has the mention; none for a follow
 */
public record Slot(NotificationKind kind, @Nullable PostId post) {

    private static final Pattern OF_POST = Pattern.compile("(like|reply|mention):([0-7][0-9A-F]{15})");

    static final Slot FOLLOW = new Slot(NotificationKind.FOLLOW, null);

    static Slot of(NotificationKind kind, PostId post) {
        return new Slot(kind, post);
    }

    static Optional<Slot> find(String text) {
        if (text.equals(FOLLOW.text())) {
            return Optional.of(FOLLOW);
        }
        var match = OF_POST.matcher(text);
        return match.matches()
                ? NotificationKind.find(match.group(1)).map(kind -> of(kind, new PostId(Ids.parse(match.group(2)))))
                : Optional.empty();
    }

    static Slot parse(String text) {
        return find(text).orElseThrow(() -> ActivityProblem.invalid("slot", Text.of("activity.field.slot")));
    }

    /** As the table and the API write it. */
    public String text() {
        return post == null ? kind.text() : kind.text() + ":" + post.hex();
    }
}
