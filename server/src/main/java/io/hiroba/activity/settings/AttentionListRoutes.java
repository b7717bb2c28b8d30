package io.hiroba.activity.settings;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostView.Owner;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Lists of what is muted and followed over HTTP. */
public final class AttentionListRoutes implements Routes {

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final AttentionLists lists;
    private final Cursors cursors;

    public AttentionListRoutes(AttentionLists lists, Cursors cursors) {
        this.lists = lists;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(
                "/api/v1/notifications/muted-posts",
                ctx -> answer(ctx, "muted-posts", lists::mutedPosts, MutedPostView::of));
        routes.get(
                "/api/v1/notifications/muted-people",
                ctx -> answer(ctx, "muted-people", lists::mutedPeople, MutedPersonView::of));
        routes.get(
                "/api/v1/notifications/followed-posts",
                ctx -> answer(ctx, "followed-posts", lists::followedPosts, FollowedPostView::of));
    }

    private record NotedPostView(String id, String excerpt, Owner ownedBy) {

        static NotedPostView of(NotedPost post) {
            return new NotedPostView(post.id().hex(), post.excerpt(), Owner.of(post.ownedBy()));
        }
    }

    private record MutedPostView(NotedPostView post, boolean likes, boolean replies, Instant since) {

        static MutedPostView of(MutedPost muted) {
            return new MutedPostView(NotedPostView.of(muted.post()), muted.likes(), muted.replies(), muted.since());
        }
    }

    private record FollowedPostView(NotedPostView post, Instant since) {

        static FollowedPostView of(FollowedPost followed) {
            return new FollowedPostView(NotedPostView.of(followed.post()), followed.since());
        }
    }

    private record MutedPersonView(Owner person, Instant since) {

        static MutedPersonView of(MutedPerson muted) {
            return new MutedPersonView(Owner.of(muted.person()), muted.since());
        }
    }

    private interface AList<T> {
        List<Listed<T>> page(UserId reader, Position after, int limit);
    }

    private <T, V> void answer(Context ctx, String name, AList<T> list, Function<T, V> view) {
        var reader = Caller.of(ctx).user();
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var after = cursors.read(name, request).map(Position::of).orElse(Position.NEWEST);
        var found = list.page(reader, after, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(name, last.position().cursor()))
                .map(listed -> view.apply(listed.item())));
    }
}
