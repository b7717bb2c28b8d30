package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Routes;
import io.hiroba.social.Follows.Relation;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** The API of follows and blocks. */
final class FollowRoutes implements Routes {

    private final Follows follows;

    FollowRoutes(Follows follows) {
        this.follows = follows;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/users/{id}/follow", ctx -> perform(ctx, follows::follow));
        routes.delete("/api/v1/users/{id}/follow", ctx -> perform(ctx, follows::unfollow));
        routes.post("/api/v1/users/{id}/block", ctx -> perform(ctx, follows::block));
        routes.delete("/api/v1/users/{id}/block", ctx -> perform(ctx, follows::unblock));
        routes.get("/api/v1/users/{id}/relation", this::relation);
    }

    private interface Action {
        void perform(Caller caller, UserId other);
    }

    private static void perform(Context ctx, Action action) {
        action.perform(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void relation(Context ctx) {
        ctx.json(RelationView.of(follows.relation(Caller.of(ctx).user(), id(ctx))));
    }

    /** A relation as JSON shows it. */
    private record RelationView(
            int countPosts,
            int countFollowers,
            int countFollowees,
            boolean followedByMe,
            boolean followsMe,
            boolean blockedByMe) {

        static RelationView of(Relation relation) {
            return new RelationView(
                    relation.countPosts(),
                    relation.countFollowers(),
                    relation.countFollowees(),
                    relation.followedByMe(),
                    relation.followsMe(),
                    relation.blockedByMe());
        }
    }

    private static UserId id(Context ctx) {
        return UserId.parse(ctx.pathParam("id"));
    }
}
