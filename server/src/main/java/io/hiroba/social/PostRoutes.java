package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The API of posts and likes. */
final class PostRoutes implements Routes {

    private static final Pattern TAG = Pattern.compile("\"(\\d{1,18})\"");

    private final Posts posts;
    private final Likes likes;
    private final Idempotency idempotency;

    PostRoutes(Posts posts, Likes likes, Idempotency idempotency) {
        this.posts = posts;
        this.likes = likes;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/posts", this::create);
        routes.get("/api/v1/posts/{id}", this::get);
        routes.put("/api/v1/posts/{id}", this::edit);
        routes.delete("/api/v1/posts/{id}", this::delete);
        routes.post("/api/v1/posts/{id}/like", this::like);
        routes.delete("/api/v1/posts/{id}/like", this::unlike);
    }

    private record Creation(
            String content,
            @Nullable List<String> tags,
            @Nullable String replyTo,
            @Nullable Boolean allowLikes,
            @Nullable Boolean allowReplies,
            @Nullable String lang) {

        PostDraft draft() {
            var draft = new PostDraft(
                    content,
                    tags == null ? List.of() : tags,
                    replyTo == null ? null : PostId.parse(replyTo),
                    allowLikes == null || allowLikes,
                    allowReplies == null || allowReplies);
            return lang == null ? draft : draft.inLanguage(lang);
        }
    }

    private record Replacement(
            String content,
            List<String> tags,
            boolean allowLikes,
            boolean allowReplies,
            @Nullable String lang) {

        PostDraft draft() {
            var draft = new PostDraft(content, tags, null, allowLikes, allowReplies);
            return lang == null ? draft : draft.inLanguage(lang);
        }
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var draft = Body.json(ctx, Creation.class).draft();
        if (!idempotency.isAnswered(ctx, caller.user().hex())) {
            posts.admit(caller, draft);
        }
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var post = posts.create(tx, caller, draft);
            return Answer.created("/api/v1/posts/" + post.card().id(), PostView.of(post));
        });
    }

    private void get(Context ctx) {
        show(ctx, posts.get(Caller.of(ctx).user(), id(ctx)));
    }

    private void edit(Context ctx) {
        var caller = Caller.of(ctx);
        show(ctx, posts.edit(caller, id(ctx), Body.json(ctx, Replacement.class).draft(), expected(ctx)));
    }

    private static void show(Context ctx, Post post) {
        ctx.header("ETag", "\"" + post.card().version() + "\"").json(PostView.of(post));
    }

    /** The version in {@code If-Match}; null without the header. */
    private static @Nullable Long expected(Context ctx) {
        var header = ctx.header("If-Match");
        if (header == null || header.strip().equals("*")) {
            return null;
        }
        var tag = TAG.matcher(header.strip());
        // A tag of another form matches no version.
        return tag.matches() ? Long.valueOf(tag.group(1)) : Long.valueOf(-1);
    }

    private void delete(Context ctx) {
        posts.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void like(Context ctx) {
        likes.like(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void unlike(Context ctx) {
        likes.unlike(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private static PostId id(Context ctx) {
        return PostId.parse(ctx.pathParam("id"));
    }
}
