package io.hiroba.social.pages;

import gg.jte.Content;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.Profiles;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.Position;
import io.hiroba.social.PostCard;
import io.hiroba.social.feed.PostFilter;
import io.hiroba.social.feed.PostLists;
import io.hiroba.social.follow.Follows;
import io.hiroba.social.follow.People;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** A person: who they are, what they write and like, who follows them and whom they follow. */
public final class UserPages implements Routes {

    private final Shell shell;
    private final Profiles profiles;
    private final Follows follows;
    private final PostLists lists;
    private final People people;
    private final Pager pager;
    private final Additions additions;

    public UserPages(
            Shell shell,
            Profiles profiles,
            Follows follows,
            PostLists lists,
            People people,
            Pager pager,
            Additions additions) {
        this.shell = shell;
        this.profiles = profiles;
        this.follows = follows;
        this.lists = lists;
        this.people = people;
        this.pager = pager;
        this.additions = additions;
    }

    @Override
    public void register(RoutesConfig routes) {
        for (var tab : UserTab.values()) {
            routes.get("/users/{id}" + tab.path(), ctx -> show(ctx, tab));
        }
    }

    private void show(Context ctx, UserTab tab) {
        var caller = Caller.of(ctx);
        var id = UserId.parse(ctx.pathParam("id"));
        var profile = profiles.view(ctx, caller, id);
        var relation = follows.relation(caller.user(), id);
        var nickname = profile.person().nickname();
        var follow = new FollowView(
                id.hex(),
                nickname,
                relation.followedByMe(),
                !profile.isOwn() && !relation.separated(),
                "/users/" + id + tab.path());
        var nothing = relation.separated();
        var found = nothing ? PostsView.NONE : posts(ctx, id, tab);
        var persons = nothing ? PeopleItems.NONE : persons(ctx, id, tab);
        Content beside = follow.isShown() ? additions.besideFollow(ctx, id, nickname) : output -> {};
        shell.page(
                ctx,
                nickname,
                "social/user",
                Map.of(
                        "user", new UserView(profile, relation, follow, tab),
                        "beside", beside,
                        "posts", found,
                        "people", persons));
    }

    private PostsView posts(Context ctx, UserId id, UserTab tab) {
        return switch (tab) {
            case POSTS ->
                posts(ctx, id, tab, (viewer, after, limit) -> lists.list(viewer, PostFilter.ownedBy(id), after, limit));
            case REPLIES -> {
                var filter = PostFilter.ownedBy(id).withReplies();
                yield posts(ctx, id, tab, (viewer, after, limit) -> lists.list(viewer, filter, after, limit));
            }
            case LIKES -> posts(ctx, id, tab, (viewer, after, limit) -> lists.likedBy(viewer, id, after, limit));
            case FOLLOWERS, FOLLOWING -> PostsView.NONE;
        };
    }

    private PostsView posts(Context ctx, UserId id, UserTab tab, Pager.Source<PostCard> source) {
        return pager.posts(ctx, tab + " " + id, Position.NEWEST, source);
    }

    private PeopleItems persons(Context ctx, UserId id, UserTab tab) {
        return switch (tab) {
            case FOLLOWERS ->
                pager.people(ctx, tab + " " + id, (viewer, after, limit) -> people.followers(viewer, id, after, limit));
            case FOLLOWING ->
                pager.people(ctx, tab + " " + id, (viewer, after, limit) -> people.followees(viewer, id, after, limit));
            case POSTS, REPLIES, LIKES -> PeopleItems.NONE;
        };
    }
}
