package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.platform.Platform;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.live.LiveSource;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.ActLimits;
import io.hiroba.social.CountFolding;
import io.hiroba.social.Likes;
import io.hiroba.social.PostRoutes;
import io.hiroba.social.Posts;
import io.hiroba.social.SocialConfig;
import io.hiroba.social.feed.PostListRoutes;
import io.hiroba.social.feed.PostLists;
import io.hiroba.social.feed.Threads;
import io.hiroba.social.feed.Timelines;
import io.hiroba.social.follow.FollowRoutes;
import io.hiroba.social.follow.Follows;
import io.hiroba.social.follow.People;
import io.hiroba.social.follow.PeopleRoutes;
import io.hiroba.social.live.LivePosts;
import io.hiroba.social.live.PostSource;
import io.hiroba.social.pages.Additions;
import io.hiroba.social.pages.Cards;
import io.hiroba.social.pages.ComposePages;
import io.hiroba.social.pages.FollowPages;
import io.hiroba.social.pages.HomePages;
import io.hiroba.social.pages.LikePages;
import io.hiroba.social.pages.ListPages;
import io.hiroba.social.pages.Pager;
import io.hiroba.social.pages.PostPages;
import io.hiroba.social.pages.SearchPages;
import io.hiroba.social.pages.UserPages;
import io.hiroba.social.search.IndexUpkeep;
import io.hiroba.social.search.PostIndexer;
import io.hiroba.social.search.PostSearch;
import io.hiroba.social.search.SearchRoutes;
import java.util.List;

/** The social feature, wired. */
final class SocialWiring {

    private final Platform platform;
    final Posts posts;
    private final Likes likes;
    private final Follows follows;
    private final People people;
    private final PostLists lists;
    final LivePosts live;
    private final PostSearch search;
    private final PostIndexer indexer = new PostIndexer();

    SocialWiring(Platform platform, Users users, SocialConfig config) {
        this.platform = platform;
        var db = platform.db();
        var clock = platform.clock();
        var limits = new ActLimits(platform.throttle(), config);
        posts = new Posts(db, platform.ids(), clock, platform.events(), limits);
        likes = new Likes(db, clock, platform.events(), limits);
        follows = new Follows(db, clock, platform.events(), limits, users);
        people = new People(db);
        lists = new PostLists(db);
        live = new LivePosts(db, clock);
        search = new PostSearch(db);
    }

    /** Starts what works on the event log. */
    void consume(Events events) {
        events.consume(Timelines.CONSUMER, new Timelines());
        events.consume(PostIndexer.CONSUMER, indexer);
    }

    CountFolding folding() {
        return new CountFolding(platform.db());
    }

    LiveSource source() {
        return new PostSource(live);
    }

    List<Routes> pages(Shell shell, AccountsWiring accounts, Additions additions) {
        var cards = new Cards(accounts.readers, platform.clock(), additions);
        var pager = new Pager(cards, platform.cursors());
        return List.of(
                new HomePages(shell, lists, follows, people, pager, cards),
                new ListPages(shell, lists, pager),
                new ComposePages(shell, posts, cards, platform.idempotency()),
                new PostPages(shell, posts, lists, new Threads(platform.db()), people, pager, cards),
                new SearchPages(shell, search, cards, platform.cursors()),
                new LikePages(shell, posts, likes),
                new FollowPages(shell, accounts.users, follows),
                new UserPages(shell, accounts.profiles, follows, lists, people, pager, additions));
    }

    IndexUpkeep searchUpkeep() {
        return new IndexUpkeep(platform.db(), indexer);
    }

    List<Routes> routes() {
        return List.of(
                new SearchRoutes(search, platform.cursors()),
                new PostRoutes(posts, likes, platform.idempotency()),
                new PostListRoutes(lists, platform.cursors()),
                new FollowRoutes(follows),
                new PeopleRoutes(people, platform.cursors()));
    }
}
