package io.hiroba.search;

import gg.jte.Content;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.search.SearchSource.SearchResult;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.web.Shell;
import io.hiroba.search.SiteSearch.Asked;
import io.hiroba.search.SiteSearch.Group;
import io.hiroba.search.SiteSearch.Status;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The search page: a few results of each kind, or all of one. */
public final class SiteSearchPages implements Routes {

    static final String PATH = "/search";

    private static final String ALL = "";
    private static final int FEW = 4;
    private static final int MANY = 30;

    private final Shell shell;
    private final SiteSearch search;

    SiteSearchPages(Shell shell, SiteSearch search) {
        this.shell = shell;
        this.search = search;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::show);
    }

    private void show(Context ctx) {
        Caller.of(ctx);
        var typed = Analysis.clean(Optional.ofNullable(ctx.queryParam("q")).orElse(""))
                .strip();
        var sources = search.sources(ctx);
        var tab = Optional.ofNullable(ctx.queryParam("tab")).orElse(ALL);
        var chosen = sources.stream()
                .filter(each -> each.source().type().equals(tab))
                .findFirst();
        var view = new SearchView(
                typed,
                chosen.map(each -> each.source().type()).orElse(ALL),
                tabs(sources, typed, chosen),
                results(ctx, typed, sources, chosen));
        var title = typed.isEmpty() ? Text.of("search.title") : Text.of("search.title-of", "query", typed);
        shell.page(ctx, title, "search/search", Map.of("search", view));
    }

    private Results results(Context ctx, String typed, List<Asked> sources, Optional<Asked> chosen) {
        if (typed.isEmpty()) {
            return Results.NONE;
        }
        try {
            if (typed.codePointCount(0, typed.length()) > SiteSearch.MAX_LENGTH) {
                throw SiteSearchRoutes.badLength();
            }
            var own = chosen.flatMap(each -> each.source().page(shell, ctx, typed));
            if (own.isPresent()) {
                var page = own.get();
                boolean nothing = page.count() == 0 && !page.more();
                return new Results(List.of(), nothing ? null : page.content(), page.count(), page.more(), null);
            }
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            return new Results(List.of(), null, 0, false, refusal.detail());
        }
        var groups =
                search.search(chosen.map(List::of).orElse(sources), typed, chosen.isPresent() ? MANY : FEW).stream()
                        .filter(group ->
                                chosen.isPresent() || !group.results().isEmpty() || group.status() != Status.OK)
                        .map(group -> GroupView.of(group, typed, chosen.isEmpty()))
                        .toList();
        return new Results(
                groups,
                null,
                groups.stream().mapToInt(group -> group.results().size()).sum(),
                groups.stream().anyMatch(GroupView::hasMore),
                null);
    }

    private static List<Tab> tabs(List<Asked> sources, String typed, Optional<Asked> chosen) {
        var tabs = new ArrayList<Tab>();
        tabs.add(new Tab(Text.of("search.type.all"), path(ALL, typed), chosen.isEmpty()));
        sources.forEach(each -> tabs.add(new Tab(
                labelOf(each.source()),
                path(each.source().type(), typed),
                chosen.filter(each::equals).isPresent())));
        return tabs;
    }

    private static Text labelOf(SearchSource source) {
        return Text.of("search.type." + source.type());
    }

    private static String path(String tab, String typed) {
        return PATH + "?tab=" + tab + "&q=" + URLEncoder.encode(typed, StandardCharsets.UTF_8);
    }

    /** A tab of the page. */
    public record Tab(Text label, String path, boolean current) {}

    /**
     * A group of results.
     *
     * @param trouble the reason why there are none, if it is not that nothing matches
     * @param retry the address that searches this group alone, if that may succeed
     * @param more the address of all results, where these are a few
     */
    public record GroupView(
            Text label,
            String icon,
            List<SearchResult> results,
            @Nullable Text trouble,
            @Nullable String retry,
            boolean hasMore,
            @Nullable String more) {

        public GroupView {
            results = List.copyOf(results);
        }

        static GroupView of(Group group, String typed, boolean few) {
            var own = path(group.source().type(), typed);
            boolean mayRetry = group.status() == Status.TIMEOUT || group.status() == Status.FAILED;
            return new GroupView(
                    labelOf(group.source()),
                    group.source().icon(),
                    group.results(),
                    trouble(group),
                    mayRetry ? own : null,
                    group.more(),
                    few && group.more() ? own : null);
        }

        private static @Nullable Text trouble(Group group) {
            return switch (group.status()) {
                case OK -> null;
                case TIMEOUT -> Text.of("search.timeout");
                case FAILED -> Text.of("search.failed");
                case REFUSED -> group.refusal();
            };
        }
    }

    /**
     * The results.
     *
     * @param content in a form of their own, instead of groups
     * @param problem with the query, if there is one
     */
    public record Results(
            List<GroupView> groups,
            @Nullable Content content,
            int count,
            boolean more,
            @Nullable Text problem) {

        static final Results NONE = new Results(List.of(), null, 0, false, null);

        public Results {
            groups = List.copyOf(groups);
        }

        public boolean isEmpty() {
            return groups.stream().allMatch(group -> group.results().isEmpty() && group.trouble() == null)
                    && content == null;
        }

        /** A short summary, for screen readers. */
        public Text status() {
            if (problem != null) {
                return problem;
            }
            return count == 0
                    ? Text.of("search.no-results")
                    : Text.of("search.results", "count", count, "more", more ? "yes" : "no");
        }
    }

    /**
     * The page.
     *
     * @param tab the type of the chosen source; empty for all
     */
    public record SearchView(String query, String tab, List<Tab> tabs, Results results) {

        public SearchView {
            tabs = List.copyOf(tabs);
        }
    }
}
