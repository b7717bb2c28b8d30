package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.query.QueryDefinition;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.records.query.SavedQueries;
import io.hiroba.records.query.SavedQuery;
import io.hiroba.records.query.SavedQueryId;
import io.hiroba.records.views.ViewId;
import io.hiroba.records.views.Views;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Saved queries in the browser: kept of what a grid shows, watched, shared, shown and deleted. */
public final class SavedQueryPages implements Routes {

    private static final String QUERIES = RecordPaths.PROJECT + "/-/queries";
    private static final String QUERY = QUERIES + "/{query}";
    private static final int MAX_LISTED = 200;

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final Views views;
    private final SavedQueries queries;
    private final QuickSearch search;

    SavedQueryPages(
            Shell shell,
            Readers readers,
            PageContext context,
            RecordTitles titles,
            Views views,
            SavedQueries queries,
            QuickSearch search) {
        this.search = search;
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.titles = titles;
        this.views = views;
        this.queries = queries;
    }

    /** A query on the list. */
    public record Item(String path, String name, String schema, boolean mine, boolean notifies, boolean shared) {

        private static Item of(ProjectAccess access, SavedQuery query) {
            return new Item(
                    SavedQueryPages.path(access, query.id()),
                    query.name(),
                    query.definition().schema(),
                    query.owner().equals(access.user()),
                    query.notifies(),
                    query.shared());
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(QUERIES, this::list);
        routes.get(QUERY, this::show);
        routes.post(QUERY + "/notify", ctx -> change(ctx, (query, on) -> draft(query, on, query.shared())));
        routes.post(QUERY + "/share", ctx -> change(ctx, (query, on) -> draft(query, query.notifies(), on)));
        routes.post(QUERY + "/delete", this::delete);
        routes.post(RecordPaths.SCHEMA + "/watch", this::watch);
    }

    private static String path(ProjectAccess access, SavedQueryId id) {
        return RecordPaths.part(access.project().id(), "queries/" + id.hex());
    }

    private void list(Context ctx) {
        var access = context.project(ctx);
        var listed = queries.list(access.caller(), access.project().id(), Long.MAX_VALUE, MAX_LISTED);
        shell.page(
                ctx,
                Text.of("records.queries"),
                "records/queries",
                Map.of(
                        "project",
                        ProjectHeader.of(access),
                        "queries",
                        listed.stream()
                                .map(each -> Item.of(access, each.query()))
                                .toList()));
    }

    private void show(Context ctx) {
        var access = context.project(ctx);
        var query = found(ctx, access);
        var after = Optional.ofNullable(ctx.queryParam("after"))
                .filter(cursor -> !cursor.isEmpty())
                .orElse(null);
        var found = queries.results(access.caller(), access.project().id(), query.id(), RecordQuery.MAX_LIMIT, after);
        var recordAccess = context.target(access, found.schema().id());
        var lines =
                new GridRows(access, recordAccess, context, titles, readers.reader(ctx)).of(found, found.attributes());
        var next = found.next();
        shell.page(
                ctx,
                Text.verbatim(query.name()),
                "records/query",
                Map.of(
                        "project",
                        ProjectHeader.of(access),
                        "name",
                        query.name(),
                        "heads",
                        found.attributes().stream().map(each -> each.label()).toList(),
                        "lines",
                        lines,
                        "more",
                        next == null ? "" : path(access, query.id()) + "?after=" + RecordPaths.encoded(next)));
    }

    private SavedQuery found(Context ctx, ProjectAccess access) {
        var id = SavedQueryId.parse(ctx.pathParam("query"));
        try {
            return queries.get(access.caller(), access.project().id(), id);
        } catch (Problem refusal) {
            var schema = queries.removedSchema(access, id);
            throw schema.isPresent() ? context.orRemoved(access, String.valueOf(schema.get()), refusal) : refusal;
        }
    }

    @FunctionalInterface
    private interface Switch {
        SavedQueries.Draft apply(SavedQuery query, boolean on);
    }

    private static SavedQueries.Draft draft(SavedQuery query, boolean notifies, boolean shared) {
        return new SavedQueries.Draft(query.name(), query.definition(), notifies, shared);
    }

    private void change(Context ctx, Switch change) {
        var access = context.project(ctx);
        var query = found(ctx, access);
        var draft = change.apply(query, "on".equals(ctx.formParam("to")));
        attempt(ctx, RecordPaths.part(access.project().id(), "queries"), () -> {
            queries.replace(access.caller(), access.project().id(), query.id(), draft);
            return Text.of("records.query-saved");
        });
    }

    private void delete(Context ctx) {
        var access = context.project(ctx);
        queries.delete(access.caller(), access.project().id(), SavedQueryId.parse(ctx.pathParam("query")));
        shell.seeOther(ctx, RecordPaths.part(access.project().id(), "queries"), Text.of("records.query-deleted"));
    }

    /** Keeps the filter of a grid, with that of its view, and tells of records that begin to match. */
    private void watch(Context ctx) {
        var access = context.project(ctx);
        var recordAccess = context.schema(ctx, access);
        var schema = recordAccess.schema();
        var reader = readers.reader(ctx);
        var request = GridRequest.of(ctx, recordAccess, reader);
        attempt(ctx, RecordPaths.part(access.project().id(), "queries"), () -> {
            JsonNode where =
                    request.where(search.of(access, recordAccess), reader).orElse(null);
            var id = request.view();
            if (id != null) {
                var view = views.resolved(access, schema, views.get(access, schema, ViewId.parse(id)));
                where = ViewScope.both(view.filter(), where);
            }
            var definition = new QueryDefinition(schema.name(), where, List.of(), null);
            var name = Objects.requireNonNullElse(ctx.formParam("name"), "");
            queries.create(
                    access.caller(), access.project().id(), new SavedQueries.Draft(name, definition, true, false));
            return Text.of("records.query-saved");
        });
    }

    /** Does it and says so on a page, or why it was refused. */
    private void attempt(Context ctx, String page, Supplier<Text> work) {
        Text notice;
        try {
            notice = work.get();
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            notice = refusal.detail();
        }
        shell.seeOther(ctx, page, notice);
    }
}
