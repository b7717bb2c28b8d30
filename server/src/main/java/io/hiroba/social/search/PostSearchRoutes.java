package io.hiroba.social.search;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.social.PostView;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of search. It is registered before the route of a single post, which would take "search" for an id. */
final class PostSearchRoutes implements Routes {

    private static final String LIST = "search";
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final PostSearch search;
    private final Cursors cursors;

    PostSearchRoutes(PostSearch search, Cursors cursors) {
        this.search = search;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/posts/search", this::search);
    }

    private record Found(@JsonUnwrapped PostView post, List<Piece> highlight) {}

    private record Results(List<Found> items, @Nullable String next, boolean allRanked) {}

    private void search(Context ctx) {
        var viewer = Caller.of(ctx).user();
        var query =
                PostSearchQuery.parse(Optional.ofNullable(ctx.queryParam("q")).orElse(""));
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        // The query is part of the name, so that a cursor is not valid for another search.
        var list = "%s %s %s %s".formatted(LIST, query.matching(), query.authors(), query.nicknames());
        var after = cursors.read(list, request).map(PostSearchPosition::of).orElse(PostSearchPosition.START);
        var page = search.search(viewer, query, after, request.limit());
        ctx.json(new Results(
                page.posts().stream()
                        .map(found -> new Found(PostView.of(found.card()), found.highlight()))
                        .toList(),
                page.next().map(next -> cursors.write(list, next.cursor())).orElse(null),
                page.allRanked()));
    }
}
