package io.hiroba.activity;

import io.hiroba.activity.MutesAndFollows.FollowedPost;
import io.hiroba.activity.MutesAndFollows.MutedPerson;
import io.hiroba.activity.MutesAndFollows.MutedPost;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Avatar;
import io.hiroba.social.Author;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of mutes or follows in the settings.
 *
 * @param more the address of the next page, if there is one
 */
public record MuteFollowList(
        Name name, List<Item> items, @Nullable String more) {

    public MuteFollowList {
        items = List.copyOf(items);
    }

    /** The lists, with the heading, button label and button action of each. */
    @SuppressWarnings("ImmutableEnumChecker") // a text never changes
    public enum Name {
        PEOPLE("people", Text.of("activity.unmute"), "/unmute"),
        POSTS("posts", Text.of("activity.unmute"), "/unmute"),
        FOLLOWED("followed", Text.of("activity.list.unfollow"), "/unfollow-replies");

        private final String text;
        private final Text button;
        private final String action;

        Name(String text, Text button, String action) {
            this.text = text;
            this.button = button;
            this.action = action;
        }

        /** As addresses name it. */
        public String text() {
            return text;
        }

        public Text heading() {
            return Text.of("activity.list." + text);
        }

        public Text button() {
            return button;
        }

        /** Below the path of the item. */
        public String action() {
            return action;
        }
    }

    /**
     * A person or a post in a list.
     *
     * @param text the nickname, or the excerpt of the post
     * @param about what is muted or followed, and since when
     */
    public record Item(String path, Avatar avatar, String text, String about) {

        static Item of(MutedPerson muted, Reader reader) {
            var person = muted.person();
            return new Item(
                    "/users/" + person.id(),
                    avatar(person),
                    person.nickname(),
                    reader.text("activity.list.muted-since", "ago", reader.ago(muted.since())));
        }

        static Item of(MutedPost muted, Reader reader) {
            var part = muted.likes() && muted.replies()
                    ? "activity.list.muted-since"
                    : muted.likes() ? "activity.list.likes-muted-since" : "activity.list.replies-muted-since";
            return post(muted.post(), reader.text(part, "ago", reader.ago(muted.since())), reader);
        }

        static Item of(FollowedPost followed, Reader reader) {
            var owner = followed.post().ownedBy().nickname();
            var about =
                    reader.text("activity.list.followed-since", "owner", owner, "ago", reader.ago(followed.since()));
            return post(followed.post(), about, reader);
        }

        private static Item post(MutesAndFollows.ListedPost post, String about, Reader reader) {
            var owner = post.ownedBy();
            var excerpt = post.excerpt();
            return new Item(
                    "/posts/" + post.id(),
                    avatar(owner),
                    excerpt.isEmpty() ? reader.text("activity.list.wordless", "owner", owner.nickname()) : excerpt,
                    about);
        }

        private static Avatar avatar(Author person) {
            return Avatar.of(person.id().hex(), person.nickname(), person.avatar());
        }
    }
}
