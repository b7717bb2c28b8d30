package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserCounts.Counts;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.Routes;
import io.hiroba.social.Friend.FriendPosition;
import io.hiroba.social.PeopleLists.PersonCard;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of lists of people. */
final class PeopleRoutes implements Routes {

    private final PeopleLists people;
    private final Cursors cursors;
    private final KeysetList<Friend, FriendPosition> friends;

    PeopleRoutes(PeopleLists people, Cursors cursors) {
        this.people = people;
        this.cursors = cursors;
        this.friends = new KeysetList<>(
                cursors,
                "friends",
                FriendPosition::of,
                friend -> friend.position().cursor());
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/users/{id}/followers", ctx -> {
            var of = UserId.parse(ctx.pathParam("id"));
            respond(ctx, "followers", (viewer, after, limit) -> people.followers(viewer, of, after, limit));
        });
        routes.get("/api/v1/users/{id}/followees", ctx -> {
            var of = UserId.parse(ctx.pathParam("id"));
            respond(ctx, "followees", (viewer, after, limit) -> people.followees(viewer, of, after, limit));
        });
        routes.get("/api/v1/posts/{id}/likers", ctx -> {
            var post = PostId.parse(ctx.pathParam("id"));
            respond(ctx, "likers", (viewer, after, limit) -> people.likers(viewer, post, after, limit));
        });
        routes.get("/api/v1/me/blocked", ctx -> respond(ctx, "blocked", people::blocked));
        routes.get("/api/v1/users/friends", this::friends);
    }

    /** A person in lists of people. */
    private record PersonView(
            String id,
            String nickname,
            @Nullable String avatar,
            String kind,
            boolean followedByMe,
            boolean followsMe,
            int countPosts,
            int countFollowers,
            int countFollowees) {

        static PersonView of(PersonCard card, Counts counts) {
            var person = card.person();
            return new PersonView(
                    person.id().hex(),
                    person.nickname(),
                    person.avatar(),
                    person.agent() ? "agent" : "person",
                    card.followedByMe(),
                    card.followsMe(),
                    counts.posts(),
                    counts.followers(),
                    counts.followees());
        }
    }

    private interface PeopleList {
        List<Listed<PersonCard>> page(UserId viewer, Position after, int limit);
    }

    private void respond(Context ctx, String name, PeopleList list) {
        var viewer = Caller.of(ctx).user();
        ctx.json(counted(Listed.<PersonCard>keysetList(cursors, name)
                .page(ctx, (after, limit) -> list.page(viewer, after.orElse(Position.NEWEST), limit))
                .map(Listed::item)));
    }

    private void friends(Context ctx) {
        var viewer = Caller.of(ctx).user();
        var prefix = Optional.ofNullable(ctx.queryParam("nicknamePrefix")).orElse("");
        ctx.json(counted(friends.page(
                        ctx,
                        (after, limit) -> people.friends(viewer, prefix, after.orElse(FriendPosition.START), limit))
                .map(Friend::card)));
    }

    private Page<PersonView> counted(Page<PersonCard> page) {
        var counts = people.counts(
                page.items().stream().map(card -> card.person().id()).toList());
        return page.map(
                card -> PersonView.of(card, counts.getOrDefault(card.person().id(), Counts.ZERO)));
    }
}
