package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.search.PostSearch;
import io.hiroba.social.search.SearchPosition;
import io.hiroba.social.search.SearchQuery;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Finding posts by what they say. */
public final class SearchPages implements Routes {

    private static final int PAGE = 20;
    private static final int MOST = 50;

    private final Shell shell;
    private final PostSearch search;
    private final Cards cards;
    private final Cursors cursors;

    public SearchPages(Shell shell, PostSearch search, Cards cards, Cursors cursors) {
        this.shell = shell;
        this.search = search;
        this.cards = cards;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/search", this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var typed = Optional.ofNullable(ctx.queryParam("q")).orElse("").strip();
        var view = typed.isEmpty() ? SearchView.nothing(typed, null) : found(ctx, caller, typed);
        shell.page(ctx, "Search", "social/search", Map.of("search", view));
    }

    private SearchView found(Context ctx, Caller caller, String typed) {
        SearchQuery query;
        try {
            query = SearchQuery.parse(typed);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            return SearchView.nothing(typed, refusal.detail());
        }
        var request = PageRequest.of(ctx, PAGE, MOST);
        // Signed with the words: the cursor of one search says nothing in another.
        var list = "pages.search " + typed;
        var after = cursors.read(list, request).map(SearchPosition::of).orElse(SearchPosition.START);
        var page = search.search(caller.user(), query, after, request.limit());
        var items = page.posts().stream()
                .map(post -> new FoundItem(cards.item(ctx, post.card()), post.highlight()))
                .toList();
        var more = page.next()
                .map(next -> "/search?q=" + URLEncoder.encode(typed, StandardCharsets.UTF_8) + "&after="
                        + cursors.write(list, next.cursor()))
                .orElse(null);
        return new SearchView(typed, null, items, more);
    }
}
