package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.Follows;
import io.hiroba.social.Friend.FriendPosition;
import io.hiroba.social.PeopleLists;
import io.hiroba.social.Position;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostFilter;
import io.hiroba.social.PostLists;
import io.hiroba.social.pages.PeopleView.PersonItem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The home page: the feed of a signed-in reader, or a welcome page. */
final class HomePages implements Routes {

    private static final int SUGGESTED = 5;

    private final Shell shell;
    private final PostLists lists;
    private final Follows follows;
    private final PeopleLists people;
    private final ListPager pager;
    private final CardViews cards;

    HomePages(Shell shell, PostLists lists, Follows follows, PeopleLists people, ListPager pager, CardViews cards) {
        this.shell = shell;
        this.lists = lists;
        this.follows = follows;
        this.people = people;
        this.pager = pager;
        this.cards = cards;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/", this::show);
    }

    private void show(Context ctx) {
        // A fragment request comes from an open feed whose session has ended: Caller.of leads to the login.
        if (Caller.find(ctx).isEmpty() && !HtmxRequest.isFragment(ctx)) {
            shell.page(ctx, Text.of("social.welcome"), "accounts/welcome");
            return;
        }
        var reader = Caller.of(ctx).user();
        boolean followsNobody = follows.relation(reader, reader).countFollowees() == 0;
        ListPager.Source<PostCard> source = followsNobody
                ? (viewer, after, limit) -> lists.list(viewer, PostFilter.NEWEST, after, limit)
                : lists::feed;
        // Both have the same order and cursor name: a reader may begin to follow somebody between two pages.
        var posts = pager.posts(ctx, "home", Position.NEWEST, source);
        var suggested = followsNobody ? suggested(ctx, reader, posts) : List.<PersonItem>of();
        shell.page(
                ctx,
                Text.of("social.home"),
                "social/home",
                Map.of(
                        "posts", posts,
                        "composer", ComposerView.post(),
                        "followsNobody", followsNobody,
                        "suggested", suggested));
    }

    /** The authors of the newest posts, and then others by name. */
    private List<PersonItem> suggested(Context ctx, UserId reader, PostsView posts) {
        var writers = posts.items().stream().map(PostItem::author).map(author -> cards.stranger(ctx, author));
        var others = people.friends(reader, "", FriendPosition.START, 2 * SUGGESTED).stream()
                .map(friend -> cards.person(ctx, friend.card()));
        var seen = new HashSet<String>();
        return Stream.concat(writers, others)
                .filter(person -> person.follow().isShown())
                .filter(person -> seen.add(person.person().id()))
                .limit(SUGGESTED)
                .toList();
    }
}
