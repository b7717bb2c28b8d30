package io.hiroba.social.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.Position;
import io.hiroba.social.PostFilter;
import io.hiroba.social.PostLists;
import io.hiroba.social.Tags;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The pages of the newest posts and of a tag. */
final class PostListPages implements Routes {

    private final Shell shell;
    private final PostLists lists;
    private final ListPager pager;

    PostListPages(Shell shell, PostLists lists, ListPager pager) {
        this.shell = shell;
        this.lists = lists;
        this.pager = pager;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/newest", this::newest);
        routes.get("/tags/{name}", this::tagged);
    }

    private void newest(Context ctx) {
        var posts = pager.posts(
                ctx,
                "newest",
                Position.NEWEST,
                (viewer, after, limit) -> lists.list(viewer, PostFilter.NEWEST, after, limit));
        shell.page(ctx, Text.of("social.newest"), "social/newest", Map.of("posts", posts));
    }

    private void tagged(Context ctx) {
        var tag = Tags.parse(ctx.pathParam("name"));
        var filter = PostFilter.tagged(tag).withReplies();
        var posts = pager.posts(
                ctx, "tag " + tag, Position.NEWEST, (viewer, after, limit) -> lists.list(viewer, filter, after, limit));
        shell.page(ctx, "#" + tag, "social/tag", Map.of("posts", posts, "tag", tag));
    }
}
