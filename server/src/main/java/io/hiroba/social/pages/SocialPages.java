package io.hiroba.social.pages;

import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.accounts.pages.UserDirectory;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.SocialModule;
import java.util.List;

/** The composition of the pages of social. */
public final class SocialPages {

    private SocialPages() {}

    public static List<Routes> of(
            Shell shell,
            Platform platform,
            Users users,
            Readers readers,
            UserDirectory directory,
            SocialModule social) {
        var cards = new CardViews(readers);
        var pager = new ListPager(cards, platform.cursors());
        var posts = social.posts();
        var lists = social.lists();
        var people = social.people();
        return List.of(
                new HomePages(shell, lists, social.follows(), people, pager, cards),
                new PostListPages(shell, lists, pager),
                new ComposePages(shell, posts, cards, platform.idempotency()),
                new PostPages(shell, posts, lists, people, pager, cards, social.additions()),
                new LikePages(shell, posts, social.likes()),
                new FollowPages(shell, users, social.follows()),
                new UserPages(shell, directory, social.follows(), lists, people, pager, social.additions()));
    }

    /** Posts in the one search. */
    public static SearchSource search(Platform platform, Readers readers, SocialModule social) {
        return new PostSearchSource(social.search(), new CardViews(readers), platform.cursors());
    }
}
