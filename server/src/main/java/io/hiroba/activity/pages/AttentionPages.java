package io.hiroba.activity.pages;

import gg.jte.Content;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.activity.settings.Attention;
import io.hiroba.activity.settings.PostAttention;
import io.hiroba.platform.http.Routes;
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

/** Muting posts and people and following replies, from cards, posts, profiles and the settings. */
public final class AttentionPages implements Routes, Additions {

    private final Shell shell;
    private final Attention attention;
    private final Posts posts;
    private final Users users;

    public AttentionPages(Shell shell, Attention attention, Posts posts, Users users) {
        this.shell = shell;
        this.attention = attention;
        this.posts = posts;
        this.users = users;
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
        return shell.piece(ctx, "activity/attention", Map.of("attention", view));
    }

    @Override
    public Content besideFollow(Context ctx, UserId person, String nickname) {
        boolean muted = attention.mutesPerson(Caller.of(ctx).user(), person);
        var view = new PersonMute(person.hex(), nickname, muted, LocalPath.of(ctx));
        return shell.piece(ctx, "activity/mute-person", Map.of("person", view));
    }

    /** Adds to what is muted of a post. */
    private void mutePost(Context ctx) {
        var caller = Caller.of(ctx);
        var id = PostId.parse(ctx.pathParam("id"));
        var part = MutePart.parse(ctx.formParam("what"));
        var before = attention.ofPost(caller.user(), id);
        attention.muteMore(caller, id, part.likes(), part.replies());
        var says = "You are not told of %s any more.".formatted(part == MutePart.ALL ? "it" : part.ofThisPost());
        answer(
                ctx,
                caller,
                id,
                part.addedTo(before)
                        .map(added -> new MutedNote(says, "/posts/" + id + "/unmute", added.text()))
                        .orElseGet(() -> new MutedNote("It was muted already.", null, "")));
    }

    /** Takes from what is muted of a post. */
    private void unmutePost(Context ctx) {
        var caller = Caller.of(ctx);
        var id = PostId.parse(ctx.pathParam("id"));
        var part = MutePart.parse(ctx.formParam("what"));
        attention.muteLess(caller, id, part.likes(), part.replies());
        answer(ctx, caller, id, new MutedNote("You are told of it again.", null, ""));
    }

    private void followReplies(Context ctx, boolean follow) {
        var caller = Caller.of(ctx);
        var id = PostId.parse(ctx.pathParam("id"));
        if (follow) {
            attention.followPost(caller, id);
        } else {
            attention.unfollowPost(caller, id);
        }
        var says = follow ? "You are told of its replies from now on." : "You are not told of its replies any more.";
        answer(ctx, caller, id, new MutedNote(says, null, ""));
    }

    private void answer(Context ctx, Caller caller, PostId id, MutedNote note) {
        var back = back(ctx, "/posts/" + id);
        if (isOnCard(ctx)) {
            note(ctx, note);
        } else if (HtmxRequest.isAskedFor(ctx)) {
            var view = view(caller, posts.get(caller.user(), id).card(), back);
            shell.page(ctx, "Attention", "activity/attention", Map.of("attention", view));
        } else {
            shell.seeOther(ctx, back, note.says());
        }
    }

    private void mutePerson(Context ctx, boolean mute) {
        var caller = Caller.of(ctx);
        var id = UserId.parse(ctx.pathParam("id"));
        if (mute) {
            attention.mutePerson(caller, id);
        } else {
            attention.unmutePerson(caller, id);
        }
        var nickname = users.profile(id).user().nickname().value();
        var person = new PersonMute(id.hex(), nickname, mute, back(ctx, "/users/" + id));
        var says = mute
                ? "You are not told of what %s does any more.".formatted(nickname)
                : "You are told of what %s does again.".formatted(nickname);
        if (isOnCard(ctx)) {
            note(ctx, new MutedNote(says, mute ? "/users/" + id + "/unmute" : null, ""));
        } else if (HtmxRequest.isAskedFor(ctx)) {
            shell.page(ctx, "Mute", "activity/mute-person", Map.of("person", person));
        } else {
            shell.seeOther(ctx, person.back(), says);
        }
    }

    private void note(Context ctx, MutedNote note) {
        shell.page(ctx, "Muted", "activity/muted", Map.of("note", note));
    }

    /** Whether a script shows the outcome on the card that it was asked for. */
    private static boolean isOnCard(Context ctx) {
        return HtmxRequest.isAskedFor(ctx) && "card".equals(ctx.formParam("place"));
    }

    private AttentionView view(Caller caller, PostCard post, String back) {
        PostAttention now = attention.ofPost(caller.user(), post.id());
        boolean mine = post.ownedBy().id().equals(caller.user());
        return new AttentionView(post.id().hex(), mine, now, back);
    }

    private static String back(Context ctx, String otherwise) {
        return LocalPath.orElse(ctx.formParam("back"), otherwise);
    }
}
