package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.activity.MutesAndFollows.FollowedPost;
import io.hiroba.activity.MutesAndFollows.ListedPost;
import io.hiroba.activity.MutesAndFollows.MutedPerson;
import io.hiroba.activity.MutesAndFollows.MutedPost;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostId;
import io.hiroba.social.PostView.Owner;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The API of mutes and follows. */
final class MutesAndFollowsRoutes implements Routes {

    private final MutesAndFollows mutesAndFollows;
    private final Cursors cursors;

    MutesAndFollowsRoutes(MutesAndFollows mutesAndFollows, Cursors cursors) {
        this.mutesAndFollows = mutesAndFollows;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.put("/api/v1/posts/{id}/mute", this::mutePost);
        routes.delete("/api/v1/posts/{id}/mute", ctx -> post(ctx, mutesAndFollows::unmutePost));
        routes.put("/api/v1/posts/{id}/subscription", ctx -> post(ctx, mutesAndFollows::followPost));
        routes.delete("/api/v1/posts/{id}/subscription", ctx -> post(ctx, mutesAndFollows::unfollowPost));
        routes.put("/api/v1/users/{id}/mute", ctx -> person(ctx, mutesAndFollows::mutePerson));
        routes.delete("/api/v1/users/{id}/mute", ctx -> person(ctx, mutesAndFollows::unmutePerson));
        routes.get(
                "/api/v1/notifications/muted-posts",
                list("muted-posts", mutesAndFollows::mutedPosts, MutedPostView::of));
        routes.get(
                "/api/v1/notifications/muted-people",
                list("muted-people", mutesAndFollows::mutedPeople, MutedPersonView::of));
        routes.get(
                "/api/v1/notifications/followed-posts",
                list("followed-posts", mutesAndFollows::followedPosts, FollowedPostView::of));
    }

    private record MuteBody(boolean likes, boolean replies) {}

    private void mutePost(Context ctx) {
        post(ctx, (caller, post) -> {
            var mute = Body.json(ctx, MuteBody.class);
            mutesAndFollows.mutePost(caller, post, mute.likes(), mute.replies());
        });
    }

    private static void post(Context ctx, BiConsumer<Caller, PostId> operation) {
        operation.accept(Caller.of(ctx), PostId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    private static void person(Context ctx, BiConsumer<Caller, UserId> operation) {
        operation.accept(Caller.of(ctx), UserId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    private record ListedPostView(String id, String excerpt, Owner ownedBy) {

        static ListedPostView of(ListedPost post) {
            return new ListedPostView(post.id().hex(), post.excerpt(), Owner.of(post.ownedBy()));
        }
    }

    private record MutedPostView(ListedPostView post, boolean likes, boolean replies, Instant since) {

        static MutedPostView of(MutedPost muted) {
            return new MutedPostView(ListedPostView.of(muted.post()), muted.likes(), muted.replies(), muted.since());
        }
    }

    private record FollowedPostView(ListedPostView post, Instant since) {

        static FollowedPostView of(FollowedPost followed) {
            return new FollowedPostView(ListedPostView.of(followed.post()), followed.since());
        }
    }

    private record MutedPersonView(Owner person, Instant since) {

        static MutedPersonView of(MutedPerson muted) {
            return new MutedPersonView(Owner.of(muted.person()), muted.since());
        }
    }

    private interface Finder<T> {
        List<Listed<T>> find(UserId reader, Position after, int limit);
    }

    private <T, V> Handler list(String name, Finder<T> finder, Function<T, V> view) {
        var list = new KeysetList<Listed<T>, Position>(
                cursors, name, Position::of, last -> last.position().cursor());
        return ctx -> {
            var reader = Caller.of(ctx).user();
            ctx.json(list.page(ctx, (after, limit) -> finder.find(reader, after.orElse(Position.NEWEST), limit))
                    .map(listed -> view.apply(listed.item())));
        };
    }
}
