package io.hiroba.activity;

import gg.jte.Content;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.LocalPath;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import io.hiroba.social.pages.Additions;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The buttons on cards, posts, profiles and settings that mute posts and people and follow replies. */
public final class MuteFollowPages implements Routes, Additions {

    private final Shell shell;
    private final MutesAndFollows mutesAndFollows;
    private final Posts posts;
    private final Users users;

    MuteFollowPages(Shell shell, MutesAndFollows mutesAndFollows, Posts posts, Users users) {
        this.shell = shell;
        this.mutesAndFollows = mutesAndFollows;
        this.posts = posts;
        this.users = users;
    }

    /**
     * The reader's preferences for a post, and the buttons that change them.
     *
     * @param back the page to return to where no script swaps it
     */
    public record PostPreferencesView(String postId, boolean isMine, PostPreferences preferences, String back) {

        public Text summary() {
            if (preferences.muted()) {
                return Text.of("activity.post.muted");
            }
            if (!isMine) {
                return preferences.followed() && !preferences.mutedReplies()
                        ? Text.of("activity.post.replies")
                        : Text.of("activity.post.no-replies");
            }
            if (preferences.mutedLikes()) {
                return Text.of("activity.post.replies-only");
            }
            return preferences.mutedReplies()
                    ? Text.of("activity.post.likes-only")
                    : Text.of("activity.post.likes-and-replies");
        }

        public boolean mayMute() {
            return isMine || preferences.followed() || preferences.muted();
        }
    }

    /**
     * The button that mutes a person.
     *
     * @param back the page to return to where no script swaps the button
     */
    public record PersonMuteView(String userId, String nickname, boolean isMuted, String back) {}

    /**
     * The confirmation of an action of a card's menu.
     *
     * @param undo the path that undoes it; none for what changed nothing
     * @param part the part of the post to undo; empty for a person
     */
    public record Confirmation(Text message, @Nullable String undo, String part) {

        static Confirmation of(Text message) {
            return new Confirmation(message, null, "");
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/posts/{id}/mute", this::mutePost);
        routes.post("/posts/{id}/unmute", this::unmutePost);
        routes.post("/posts/{id}/follow-replies", ctx -> followReplies(ctx, true));
        routes.post("/posts/{id}/unfollow-replies", ctx -> followReplies(ctx, false));
        routes.post("/users/{id}/mute", ctx -> mutePerson(ctx, true));
        routes.post("/users/{id}/unmute", ctx -> mutePerson(ctx, false));
    }

    @Override
    public Content belowPost(Context ctx, PostCard post) {
        var view = view(Caller.of(ctx), post, LocalPath.of(ctx));
        return shell.embed(ctx, "activity/post-preferences", Map.of("view", view));
    }

    @Override
    public Content besideFollow(Context ctx, UserId person, String nickname) {
        boolean muted = mutesAndFollows.mutesPerson(Caller.of(ctx).user(), person);
        var view = new PersonMuteView(person.hex(), nickname, muted, LocalPath.of(ctx));
        return shell.embed(ctx, "activity/mute-person", Map.of("person", view));
    }

    private void mutePost(Context ctx) {
        var caller = Caller.of(ctx);
        var id = PostId.parse(ctx.pathParam("id"));
        var part = MutePart.parse(ctx.formParam("what"));
        var before = mutesAndFollows.ofPost(caller.user(), id);
        mutesAndFollows.muteMore(caller, id, part.likes(), part.replies());
        answer(
                ctx,
                caller,
                id,
                part.addedTo(before)
                        .map(added -> new Confirmation(part.mutedNotice(), "/posts/" + id + "/unmute", added.text()))
                        .orElseGet(() -> Confirmation.of(Text.of("activity.already-muted"))));
    }

    private void unmutePost(Context ctx) {
        var caller = Caller.of(ctx);
        var id = PostId.parse(ctx.pathParam("id"));
        var part = MutePart.parse(ctx.formParam("what"));
        mutesAndFollows.muteLess(caller, id, part.likes(), part.replies());
        answer(ctx, caller, id, Confirmation.of(part.unmutedNotice()));
    }

    private void followReplies(Context ctx, boolean follow) {
        var caller = Caller.of(ctx);
        var id = PostId.parse(ctx.pathParam("id"));
        if (follow) {
            mutesAndFollows.followPost(caller, id);
        } else {
            mutesAndFollows.unfollowPost(caller, id);
        }
        answer(
                ctx,
                caller,
                id,
                Confirmation.of(
                        follow ? Text.of("activity.followed-replies") : Text.of("activity.unfollowed-replies")));
    }

    private void answer(Context ctx, Caller caller, PostId id, Confirmation confirmation) {
        var back = back(ctx, "/posts/" + id);
        if (isOnCard(ctx)) {
            confirm(ctx, confirmation);
        } else if (HtmxRequest.isFragment(ctx)) {
            var view = view(caller, posts.get(caller.user(), id).card(), back);
            shell.fragment(ctx, "activity/post-preferences", Map.of("view", view));
        } else {
            shell.seeOther(ctx, back, confirmation.message());
        }
    }

    private void mutePerson(Context ctx, boolean mute) {
        var caller = Caller.of(ctx);
        var id = UserId.parse(ctx.pathParam("id"));
        if (mute) {
            mutesAndFollows.mutePerson(caller, id);
        } else {
            mutesAndFollows.unmutePerson(caller, id);
        }
        var nickname = users.profile(id).user().nickname().value();
        var person = new PersonMuteView(id.hex(), nickname, mute, back(ctx, "/users/" + id));
        var message = Text.of(mute ? "activity.muted.person" : "activity.unmuted.person", "name", nickname);
        if (isOnCard(ctx)) {
            confirm(ctx, new Confirmation(message, mute ? "/users/" + id + "/unmute" : null, ""));
        } else if (HtmxRequest.isFragment(ctx)) {
            shell.fragment(ctx, "activity/mute-person", Map.of("person", person));
        } else {
            shell.seeOther(ctx, person.back(), message);
        }
    }

    private void confirm(Context ctx, Confirmation confirmation) {
        shell.fragment(ctx, "activity/confirmation", Map.of("confirmation", confirmation));
    }

    /** Whether a script shows the answer on the card whose menu was used. */
    private static boolean isOnCard(Context ctx) {
        return HtmxRequest.isFragment(ctx) && "card".equals(ctx.formParam("place"));
    }

    private PostPreferencesView view(Caller caller, PostCard post, String back) {
        boolean mine = post.ownedBy().id().equals(caller.user());
        return new PostPreferencesView(post.id().hex(), mine, mutesAndFollows.ofPost(caller.user(), post.id()), back);
    }

    private static String back(Context ctx, String otherwise) {
        return LocalPath.orElse(ctx.formParam("back"), otherwise);
    }
}
