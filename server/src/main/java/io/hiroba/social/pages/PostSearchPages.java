package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.search.PostSearch;
import io.hiroba.social.search.PostSearchPosition;
import io.hiroba.social.search.PostSearchQuery;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The search page. */
public final class PostSearchPages implements Routes {

    private static final int PAGE_SIZE = 20;
    private static final int MAX_PAGE_SIZE = 50;

    private final Shell shell;
    private final PostSearch search;
    private final CardViews cards;
    private final Cursors cursors;

    PostSearchPages(Shell shell, PostSearch search, CardViews cards, Cursors cursors) {
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
        var view = typed.isEmpty() ? ResultsView.nothing(typed, null) : found(ctx, caller, typed);
        shell.page(ctx, Text.of("social.search"), "social/search", Map.of("search", view));
    }

    private ResultsView found(Context ctx, Caller caller, String typed) {
        PostSearchQuery query;
        try {
            query = PostSearchQuery.parse(typed);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            return ResultsView.nothing(typed, refusal.detail());
        }
        var request = PageRequest.of(ctx, PAGE_SIZE, MAX_PAGE_SIZE);
        // The query is part of the name, so that a cursor is not valid for another search.
        var list = "pages.search " + typed;
        var after = cursors.read(list, request).map(PostSearchPosition::of).orElse(PostSearchPosition.START);
        var page = search.search(caller.user(), query, after, request.limit());
        var items = page.posts().stream()
                .map(post -> new FoundItem(cards.item(ctx, post.card()), post.highlight()))
                .toList();
        var more = page.next()
                .map(next -> "/search?q=" + URLEncoder.encode(typed, StandardCharsets.UTF_8) + "&after="
                        + cursors.write(list, next.cursor()))
                .orElse(null);
        return new ResultsView(typed, null, items, more);
    }

    /**
     * The query and its results.
     *
     * @param problem with the query, if there is one
     * @param more the address of the next page, if there is one
     */
    public record ResultsView(
            String query,
            @Nullable Text problem,
            List<FoundItem> items,
            @Nullable String more) {

        public ResultsView {
            items = List.copyOf(items);
        }

        /** A short summary of the results, for screen readers. */
        public Text status() {
            if (problem != null) {
                return problem;
            }
            return items.isEmpty()
                    ? Text.of("social.no-results")
                    : Text.of("social.results", "count", items.size(), "more", more == null ? "no" : "yes");
        }

        static ResultsView nothing(String query, @Nullable Text problem) {
            return new ResultsView(query, problem, List.of(), null);
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
