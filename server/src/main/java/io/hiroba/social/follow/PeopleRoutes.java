package io.hiroba.social.follow;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists of people over HTTP. */
public final class PeopleRoutes implements Routes {

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;
    private static final String FRIENDS = "friends";

    private final People people;
    private final Cursors cursors;

    public PeopleRoutes(People people, Cursors cursors) {
        this.people = people;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/users/{id}/followers", ctx -> {
            var of = UserId.parse(ctx.pathParam("id"));
            answer(ctx, "followers", (viewer, after, limit) -> people.followers(viewer, of, after, limit));
        });
        routes.get("/api/v1/users/{id}/followees", ctx -> {
            var of = UserId.parse(ctx.pathParam("id"));
            answer(ctx, "followees", (viewer, after, limit) -> people.followees(viewer, of, after, limit));
        });
        routes.get("/api/v1/posts/{id}/likers", ctx -> {
            var post = PostId.parse(ctx.pathParam("id"));
            answer(ctx, "likers", (viewer, after, limit) -> people.likers(viewer, post, after, limit));
        });
        routes.get("/api/v1/me/blocked", ctx -> answer(ctx, "blocked", people::blocked));
        routes.get("/api/v1/users/friends", this::friends);
    }

    /** Somebody as JSON shows them in lists. */
    private record PersonView(
            String id, String nickname, @Nullable String avatar, String kind, boolean followedByMe, boolean followsMe) {

        static PersonView of(PersonCard card) {
            var person = card.person();
            return new PersonView(
                    person.id().hex(),
                    person.nickname(),
                    person.avatar(),
                    person.agent() ? "agent" : "person",
                    card.followedByMe(),
                    card.followsMe());
        }
    }

    private interface PeopleList {
        List<Listed<PersonCard>> page(UserId viewer, Position after, int limit);
    }

    private void answer(Context ctx, String name, PeopleList list) {
        var viewer = Caller.of(ctx).user();
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var after = cursors.read(name, request).map(Position::of).orElse(Position.NEWEST);
        var found = list.page(viewer, after, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(name, last.position().cursor()))
                .map(listed -> PersonView.of(listed.item())));
    }

    private void friends(Context ctx) {
        var viewer = Caller.of(ctx).user();
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var prefix = Optional.ofNullable(ctx.queryParam("nicknamePrefix")).orElse("");
        var after = cursors.read(FRIENDS, request).map(FriendPosition::of).orElse(FriendPosition.START);
        var found = people.friends(viewer, prefix, after, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(FRIENDS, last.position().cursor()))
                .map(friend -> PersonView.of(friend.card())));
    }
}
