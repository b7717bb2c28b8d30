package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.search.PostSearch;
import io.hiroba.social.search.PostSearchPosition;
import io.hiroba.social.search.PostSearchQuery;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Posts in the one search: a few of them beside other things, and all of them as cards in their own tab. */
public final class PostSearchSource implements SearchSource {

    private static final int PAGE_SIZE = 20;
    private static final int MAX_PAGE_SIZE = 50;

    private final PostSearch search;
    private final CardViews cards;
    private final Cursors cursors;

    PostSearchSource(PostSearch search, CardViews cards, Cursors cursors) {
        this.search = search;
        this.cards = cards;
        this.cursors = cursors;
    }

    @Override
    public String type() {
        return "posts";
    }

    @Override
    public String icon() {
        return "home";
    }

    @Override
    public int order() {
        return 10;
    }

    @Override
    public Optional<Finder> finder(Context ctx) {
        return Caller.find(ctx)
                .filter(caller -> caller.allows(TokenScope.POSTS_READ))
                .map(caller -> (typed, limit) -> find(caller, typed, limit));
    }

    private List<SearchResult> find(Caller caller, String typed, int limit) {
        var query = PostSearchQuery.parse(typed);
        return search.search(caller.user(), query, PostSearchPosition.START, limit).posts().stream()
                .map(found -> new SearchResult(
                        found.card().ownedBy().nickname(),
                        found.highlight(),
                        "/posts/" + found.card().id().hex(),
                        found.card().createdAt()))
                .toList();
    }

    @Override
    public Optional<ResultPage> page(Shell shell, Context ctx, String typed) {
        var found = found(ctx, Caller.of(ctx), typed);
        var content = shell.embed(ctx, "social/found", Map.of("search", found));
        return Optional.of(new ResultPage(content, found.items().size(), found.more() != null));
    }

    private ResultsView found(Context ctx, Caller caller, String typed) {
        var query = PostSearchQuery.parse(typed);
        var request = PageRequest.of(ctx, PAGE_SIZE, MAX_PAGE_SIZE);
        // The query is part of the name, so that a cursor is not valid for another search.
        var list = "pages.search " + typed;
        var after = cursors.read(list, request).map(PostSearchPosition::of).orElse(PostSearchPosition.START);
        var page = search.search(caller.user(), query, after, request.limit());
        var items = page.posts().stream()
                .map(post -> new FoundItem(cards.item(ctx, post.card()), post.highlight()))
                .toList();
        var more = page.next()
                .map(next -> "/search?tab=posts&q=" + URLEncoder.encode(typed, StandardCharsets.UTF_8) + "&after="
                        + cursors.write(list, next.cursor()))
                .orElse(null);
        return new ResultsView(typed, items, more);
    }

    /**
     * The query and its results.
     *
     * @param more the address of the next page, if there is one
     */
    public record ResultsView(
            String query, List<FoundItem> items, @Nullable String more) {

        public ResultsView {
            items = List.copyOf(items);
        }
    }

    /**
     * A search result.
     *
     * @param passage the part of its text that matches
     */
    public record FoundItem(PostItem post, List<Piece> passage) {

        public FoundItem {
            passage = List.copyOf(passage);
        }
    }
}
