package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.social.PostFilter.Order;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of lists of posts. */
final class PostListRoutes implements Routes {

    private final PostLists lists;
    private final Cursors cursors;

    PostListRoutes(PostLists lists, Cursors cursors) {
        this.lists = lists;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/posts", this::list);
        routes.get("/api/v1/feed", ctx -> respond(ctx, "feed", Position.NEWEST, lists::feed));
        routes.get("/api/v1/users/{id}/liked-posts", ctx -> {
            var liker = UserId.parse(ctx.pathParam("id"));
            respond(
                    ctx,
                    "liked",
                    Position.NEWEST,
                    (viewer, after, limit) -> lists.likedBy(viewer, liker, after, limit));
        });
    }

    private interface PostList {
        List<Listed<PostCard>> page(UserId viewer, Position after, int limit);
    }

    private void list(Context ctx) {
        var filter = filter(ctx);
        var start = filter.order() == Order.NEWEST_FIRST ? Position.NEWEST : Position.OLDEST;
        respond(ctx, "posts", start, (viewer, after, limit) -> lists.list(viewer, filter, after, limit));
    }

    private void respond(Context ctx, String name, Position start, PostList list) {
        var viewer = Caller.of(ctx).user();
        ctx.json(Listed.<PostCard>keysetList(cursors, name)
                .page(ctx, (after, limit) -> list.page(viewer, after.orElse(start), limit))
                .map(listed -> PostView.of(listed.item())));
    }

    private static PostFilter filter(Context ctx) {
        var owner = ctx.queryParam("ownedBy");
        var tag = ctx.queryParam("tag");
        var replyTo = ctx.queryParam("replyTo");
        return new PostFilter(
                owner == null ? null : UserId.parse(owner),
                tag == null ? null : Tags.parse("tag", tag),
                replyTo == null ? null : PostId.parse(replyTo),
                QueryParams.of(ctx).flag("includeReplies"),
                order(ctx.queryParam("order")));
    }

    private static Order order(@Nullable String order) {
        return switch (order) {
            case null -> Order.NEWEST_FIRST;
            case "newest" -> Order.NEWEST_FIRST;
            case "oldest" -> Order.OLDEST_FIRST;
            default -> throw HttpProblem.invalid("order", Text.of("social.field.order"));
        };
    }
}
