package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.knowledge.KnowledgeCollections;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.Sources;
import io.hiroba.knowledge.search.Search;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/** The search page. */
final class KnowledgeSearchPages implements Routes {

    private final Shell shell;
    private final Readers readers;
    private final Search search;
    private final Sources sources;
    private final KnowledgeCollections collections;

    KnowledgeSearchPages(
            Shell shell, Readers readers, Search search, Sources sources, KnowledgeCollections collections) {
        this.shell = shell;
        this.readers = readers;
        this.search = search;
        this.sources = sources;
        this.collections = collections;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(KnowledgePaths.SEARCH, this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var form = titled(caller, SearchForm.of(ctx)).among(collections, caller);
        var view = form.query().isEmpty()
                ? KnowledgeSearchView.empty(form, null, isNewcomer(caller))
                : found(ctx, caller, form);
        shell.page(ctx, Text.of("knowledge.nav"), "knowledge/search", Map.of("search", view));
    }

    private KnowledgeSearchView found(Context ctx, Caller caller, SearchForm form) {
        try {
            var result = search.search(caller, form.search(readers.zone(ctx)));
            return new KnowledgeSearchView(
                    form, null, KnowledgeSearchView.Hit.of(result.hits()), result.why(), result.searchedFor(), false);
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal);
            return KnowledgeSearchView.empty(form, refusal.detail(), false);
        }
    }

    /** A source that the reader may not read stays untitled, and nothing is found in it. */
    private SearchForm titled(Caller caller, SearchForm form) {
        if (form.source().isEmpty()) {
            return form;
        }
        try {
            return form.titled(
                    sources.get(caller, SourceId.parse(form.source())).title());
        } catch (Problem none) {
            return form;
        }
    }

    private boolean isNewcomer(Caller caller) {
        return sources.list(caller, Sources.Filter.ALL, Optional.empty(), 1).isEmpty();
    }
}
