package io.hiroba.social.feed;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostId;
import io.hiroba.social.PostView;
import io.hiroba.social.Tags;
import io.hiroba.social.feed.PostFilter.Order;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists of posts over HTTP. */
public final class PostListRoutes implements Routes {

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final PostLists lists;
    private final Cursors cursors;

    public PostListRoutes(PostLists lists, Cursors cursors) {
        this.lists = lists;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/posts", this::list);
        routes.get("/api/v1/feed", ctx -> answer(ctx, "feed", Position.NEWEST, lists::feed));
        routes.get("/api/v1/users/{id}/liked-posts", ctx -> {
            var liker = UserId.parse(ctx.pathParam("id"));
            answer(ctx, "liked", Position.NEWEST, (viewer, after, limit) -> lists.likedBy(viewer, liker, after, limit));
        });
    }

    private interface PostList {
        List<Listed<PostCard>> page(UserId viewer, Position after, int limit);
    }

    private void list(Context ctx) {
        var filter = filter(ctx);
        var start = filter.order() == Order.NEWEST_FIRST ? Position.NEWEST : Position.OLDEST;
        answer(ctx, "posts", start, (viewer, after, limit) -> lists.list(viewer, filter, after, limit));
    }

    private void answer(Context ctx, String name, Position start, PostList list) {
        var viewer = Caller.of(ctx).user();
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var after = cursors.read(name, request).map(Position::of).orElse(start);
        var found = list.page(viewer, after, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(name, last.position().cursor()))
                .map(listed -> PostView.of(listed.item())));
    }

    private static PostFilter filter(Context ctx) {
        var owner = ctx.queryParam("ownedBy");
        var tag = ctx.queryParam("tag");
        var replyTo = ctx.queryParam("replyTo");
        return new PostFilter(
                owner == null ? null : UserId.parse(owner),
                tag == null ? null : Tags.parse(tag),
                replyTo == null ? null : PostId.parse(replyTo),
                flag("includeReplies", ctx.queryParam("includeReplies")),
                order(ctx.queryParam("order")));
    }

    private static Order order(@Nullable String order) {
        return switch (order) {
            case null -> Order.NEWEST_FIRST;
            case "newest" -> Order.NEWEST_FIRST;
            case "oldest" -> Order.OLDEST_FIRST;
            default -> throw HttpProblem.invalid("order", "must be newest or oldest");
        };
    }

    private static boolean flag(String name, @Nullable String value) {
        return switch (value) {
            case null -> false;
            case "false" -> false;
            case "true" -> true;
            default -> throw HttpProblem.invalid(name, "must be true or false");
        };
    }
}
