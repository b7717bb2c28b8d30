package io.hiroba.search;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.search.SearchSource.SearchResult;
import io.hiroba.platform.text.Analysis;
import io.hiroba.search.SiteSearch.Group;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of the one search. A token finds what its scopes let it read. */
final class SiteSearchRoutes implements Routes {

    private static final int DEFAULT_LIMIT = 5;
    private static final int MAX_LIMIT = 20;

    private final SiteSearch search;

    SiteSearchRoutes(SiteSearch search) {
        this.search = search;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/search", this::search);
    }

    private record Results(List<GroupView> groups) {}

    private record GroupView(
            String type,
            String status,
            List<SearchResult> items,
            boolean more,
            @Nullable String detail) {

        static GroupView of(Group group, Language language) {
            var refusal = group.refusal();
            return new GroupView(
                    group.source().type(),
                    group.status().name().toLowerCase(Locale.ROOT),
                    group.results(),
                    group.more(),
                    refusal == null ? null : refusal.in(language));
        }
    }

    private void search(Context ctx) {
        Caller.of(ctx);
        var typed = typed(Optional.ofNullable(ctx.queryParam("q")).orElse(""));
        int limit = QueryParams.of(ctx).integer("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        var types = types(ctx.queryParam("types"));
        var asked = search.sources(ctx).stream()
                .filter(each -> types.contains(each.source().type()))
                .toList();
        var language = RequestLanguage.of(ctx);
        ctx.json(new Results(search.search(asked, typed, limit).stream()
                .map(group -> GroupView.of(group, language))
                .toList()));
    }

    private static String typed(String query) {
        var typed = Analysis.clean(query).strip();
        if (typed.isEmpty() || typed.codePointCount(0, typed.length()) > SiteSearch.MAX_LENGTH) {
            throw badLength();
        }
        return typed;
    }

    static Problem badLength() {
        return HttpProblem.invalid("q", Text.of("search.query-length", "max", SiteSearch.MAX_LENGTH));
    }

    private List<String> types(@Nullable String given) {
        if (given == null || given.isBlank()) {
            return search.types();
        }
        var types = Arrays.stream(given.split(",", -1)).map(String::strip).toList();
        if (!search.types().containsAll(types)) {
            throw HttpProblem.invalid(
                    "types", Text.of("http.field.one-of", "values", String.join(", ", search.types())));
        }
        return types;
    }
}
