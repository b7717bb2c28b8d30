package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.search.Mode;
import io.hiroba.knowledge.search.Search;
import io.hiroba.knowledge.search.SearchQuery;
import io.hiroba.knowledge.sources.SourceFilter;
import io.hiroba.knowledge.sources.Sources;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The box that finds passages, and shows what {@link AskPages} answered. */
public final class SearchPages implements Routes {

    private final Shell shell;
    private final Times times;
    private final Search search;
    private final Sources sources;

    public SearchPages(Shell shell, Times times, Search search, Sources sources) {
        this.shell = shell;
        this.times = times;
        this.search = search;
        this.sources = sources;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.ALL, this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var asked = titled(caller, Asked.of(ctx));
        var view = asked.query().isEmpty() || asked.isAsk()
                ? SearchView.nothing(asked, null, asked.query().isEmpty() && isNewcomer(caller))
                : found(ctx, caller, asked);
        show(ctx, view, null);
    }

    void show(Context ctx, SearchView view, @Nullable AnswerView answer) {
        var parameters = new HashMap<String, Object>();
        parameters.put("search", view);
        if (answer != null) {
            parameters.put("answer", answer);
        }
        shell.page(ctx, "Knowledge", "knowledge/search", parameters);
    }

    private SearchView found(Context ctx, Caller caller, Asked asked) {
        try {
            var result = search.search(caller, query(ctx, asked));
            return new SearchView(asked, null, HitItem.of(result.hits()), result.why(), false);
        } catch (Problem refusal) {
            if (!Refusals.belongToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal);
            return SearchView.nothing(asked, refusal.detail(), false);
        }
    }

    /** People see how near each passage is, so that those that are less so need not be kept from them. */
    private SearchQuery query(Context ctx, Asked asked) {
        var query = asked.search(times.zone(ctx));
        return query.mode() == Mode.VECTOR
                ? new SearchQuery(query.text(), query.mode(), query.limit(), query.filters(), -1.0)
                : query;
    }

    /** A source that the reader may not read has no title here, and nothing is found in it. */
    private Asked titled(Caller caller, Asked asked) {
        if (asked.source().isEmpty()) {
            return asked;
        }
        try {
            return asked.titled(
                    sources.get(caller, SourceId.parse(asked.source())).title());
        } catch (Problem none) {
            return asked;
        }
    }

    private boolean isNewcomer(Caller caller) {
        return sources.list(caller, SourceFilter.ALL, Optional.empty(), 1).isEmpty();
    }
}
