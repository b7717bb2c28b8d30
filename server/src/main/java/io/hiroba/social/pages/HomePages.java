package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.Position;
import io.hiroba.social.PostCard;
import io.hiroba.social.feed.PostFilter;
import io.hiroba.social.feed.PostLists;
import io.hiroba.social.follow.Follows;
import io.hiroba.social.follow.FriendPosition;
import io.hiroba.social.follow.People;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The first page: a welcome to strangers, the home feed to those who are signed in. */
public final class HomePages implements Routes {

    private static final int SUGGESTED = 5;

    private final Shell shell;
    private final PostLists lists;
    private final Follows follows;
    private final People people;
    private final Pager pager;
    private final Cards cards;

    public HomePages(Shell shell, PostLists lists, Follows follows, People people, Pager pager, Cards cards) {
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
        // Whoever asks for more of a feed was signed in a moment ago, and is to be so again.
        if (Caller.find(ctx).isEmpty() && !HtmxRequest.isAskedFor(ctx)) {
            shell.page(ctx, "Welcome", "accounts/welcome");
            return;
        }
        var reader = Caller.of(ctx).user();
        boolean alone = follows.relation(reader, reader).countFollowees() == 0;
        Pager.Source<PostCard> source =
                alone ? (viewer, after, limit) -> lists.list(viewer, PostFilter.NEWEST, after, limit) : lists::feed;
        // Both go by the same order under one name: a reader may begin to follow somebody between two pages.
        var posts = pager.posts(ctx, "home", Position.NEWEST, source);
        var suggested = alone ? suggested(ctx, reader, posts) : List.<PersonItem>of();
        shell.page(
                ctx,
                "Home",
                "social/home",
                Map.of(
                        "posts", posts,
                        "composer", ComposerView.post(),
                        "alone", alone,
                        "suggested", suggested));
    }

    /** Those who write at the moment, and then others, by name. */
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
