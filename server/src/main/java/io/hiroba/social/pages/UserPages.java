package io.hiroba.social.pages;

import gg.jte.Content;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.UserDirectory;
import io.hiroba.accounts.pages.UserDirectory.ProfileView;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.Follows;
import io.hiroba.social.Follows.Relation;
import io.hiroba.social.PeopleLists;
import io.hiroba.social.Position;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostFilter;
import io.hiroba.social.PostLists;
import io.hiroba.social.pages.FollowPages.FollowView;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The pages of a user: profile, posts, likes, followers and followees. */
public final class UserPages implements Routes {

    private final Shell shell;
    private final UserDirectory directory;
    private final Follows follows;
    private final PostLists lists;
    private final PeopleLists people;
    private final ListPager pager;
    private final Additions additions;

    UserPages(
            Shell shell,
            UserDirectory directory,
            Follows follows,
            PostLists lists,
            PeopleLists people,
            ListPager pager,
            Additions additions) {
        this.shell = shell;
        this.directory = directory;
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
        var profile = directory.profile(ctx, caller, id);
        var relation = follows.relation(caller.user(), id);
        var nickname = profile.person().nickname();
        var follow = new FollowView(
                id.hex(),
                nickname,
                relation.followedByMe(),
                !profile.isOwn() && !relation.isBlocked(),
                "/users/" + id + tab.path());
        var blocked = relation.isBlocked();
        var found = blocked ? PostsView.NONE : posts(ctx, id, tab);
        var peopleFound = blocked ? PeopleView.NONE : peopleOf(ctx, id, tab);
        Content beside = follow.isShown() ? additions.besideFollow(ctx, id, nickname) : output -> {};
        shell.page(
                ctx,
                nickname,
                "social/user",
                Map.of(
                        "user", new ProfilePageView(profile, relation, follow, tab),
                        "beside", beside,
                        "posts", found,
                        "people", peopleFound));
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

    private PostsView posts(Context ctx, UserId id, UserTab tab, ListPager.Source<PostCard> source) {
        return pager.posts(ctx, tab + " " + id, Position.NEWEST, source);
    }

    private PeopleView peopleOf(Context ctx, UserId id, UserTab tab) {
        return switch (tab) {
            case FOLLOWERS ->
                pager.people(ctx, tab + " " + id, (viewer, after, limit) -> people.followers(viewer, id, after, limit));
            case FOLLOWING ->
                pager.people(ctx, tab + " " + id, (viewer, after, limit) -> people.followees(viewer, id, after, limit));
            case POSTS, REPLIES, LIKES -> PeopleView.NONE;
        };
    }

    /** A profile with its counts and its relation to the reader. */
    public record ProfilePageView(ProfileView profile, Relation relation, FollowView follow, UserTab tab) {}

    /** A tab of a profile. */
    @SuppressWarnings("ImmutableEnumChecker") // a text never changes
    public enum UserTab {
        POSTS("social.tab-posts", "", "social.no-posts"),
        REPLIES("social.tab-replies", "/replies", "social.no-posts"),
        LIKES("social.tab-likes", "/likes", "social.no-likes"),
        FOLLOWERS("social.tab-followers", "/followers", "social.no-followers"),
        FOLLOWING("social.tab-following", "/following", "social.no-followees");

        private final Text label;
        private final String path;
        private final Text empty;

        UserTab(String label, String path, String empty) {
            this.label = Text.of(label);
            this.path = path;
            this.empty = Text.of(empty);
        }

        public Text label() {
            return label;
        }

        /** Relative to the path of the profile. */
        public String path() {
            return path;
        }

        /** Whether it shows people rather than posts. */
        public boolean isOfPeople() {
            return this == FOLLOWERS || this == FOLLOWING;
        }

        /** The title of the empty list. */
        public Text empty() {
            return empty;
        }
    }
}
