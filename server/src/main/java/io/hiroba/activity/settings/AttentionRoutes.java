package io.hiroba.activity.settings;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.social.PostId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** Muting and following posts, and muting people, over HTTP. */
public final class AttentionRoutes implements Routes {

    private final Attention attention;

    public AttentionRoutes(Attention attention) {
        this.attention = attention;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.put("/api/v1/posts/{id}/mute", this::mutePost);
        routes.delete("/api/v1/posts/{id}/mute", ctx -> post(ctx, attention::unmutePost));
        routes.put("/api/v1/posts/{id}/subscription", ctx -> post(ctx, attention::followPost));
        routes.delete("/api/v1/posts/{id}/subscription", ctx -> post(ctx, attention::unfollowPost));
        routes.put("/api/v1/users/{id}/mute", ctx -> person(ctx, attention::mutePerson));
        routes.delete("/api/v1/users/{id}/mute", ctx -> person(ctx, attention::unmutePerson));
    }

    private record Mute(boolean likes, boolean replies) {}

    private interface OnPost {
        void act(Caller caller, PostId post);
    }

    private interface OnPerson {
        void act(Caller caller, UserId person);
    }

    private void mutePost(Context ctx) {
        post(ctx, (caller, post) -> {
            var mute = Body.json(ctx, Mute.class);
            attention.mutePost(caller, post, mute.likes(), mute.replies());
        });
    }

    private static void post(Context ctx, OnPost act) {
        act.act(Caller.of(ctx), PostId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    private static void person(Context ctx, OnPerson act) {
        act.act(Caller.of(ctx), UserId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }
}
