package io.hiroba.activity;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.activity.MutesAndFollows.FollowedPost;
import io.hiroba.activity.MutesAndFollows.MutedPerson;
import io.hiroba.activity.MutesAndFollows.MutedPost;
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
    public enum Name {
        PEOPLE("people", "Muted people", "Unmute", "/unmute"),
        POSTS("posts", "Muted posts", "Unmute", "/unmute"),
        FOLLOWED("followed", "Followed posts", "Unfollow", "/unfollow-replies");

        private final String text;
        private final String heading;
        private final String button;
        private final String action;

        Name(String text, String heading, String button, String action) {
            this.text = text;
            this.heading = heading;
            this.button = button;
            this.action = action;
        }

        /** As addresses name it. */
        public String text() {
            return text;
        }

        public String heading() {
            return heading;
        }

        public String button() {
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

        static Item of(MutedPerson muted, Reader clock) {
            var person = muted.person();
            return new Item(
                    "/users/" + person.id(), avatar(person), person.nickname(), "Muted " + clock.ago(muted.since()));
        }

        static Item of(MutedPost muted, Reader clock) {
            var part = muted.likes() && muted.replies() ? "Muted " : muted.likes() ? "Likes muted " : "Replies muted ";
            return post(muted.post(), part + clock.ago(muted.since()));
        }

        static Item of(FollowedPost followed, Reader clock) {
            var owner = followed.post().ownedBy().nickname();
            return post(followed.post(), "By %s · followed %s".formatted(owner, clock.ago(followed.since())));
        }

        private static Item post(MutesAndFollows.ListedPost post, String about) {
            var owner = post.ownedBy();
            var excerpt = post.excerpt();
            return new Item(
                    "/posts/" + post.id(),
                    avatar(owner),
                    excerpt.isEmpty() ? "A post of " + owner.nickname() : excerpt,
                    about);
        }

        private static Avatar avatar(Author person) {
            return Avatar.of(person.id().hex(), person.nickname(), person.avatar());
        }
    }
}
