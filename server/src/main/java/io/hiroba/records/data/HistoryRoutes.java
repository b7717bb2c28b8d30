package io.hiroba.records.data;

import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.Projects;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What was done to records, and the way back, over HTTP. */
public final class HistoryRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/records/{schema}/{row}";
    private static final String LIST = "record-history";
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final Projects projects;
    private final History history;
    private final Cursors cursors;

    public HistoryRoutes(Projects projects, History history, Cursors cursors) {
        this.projects = projects;
        this.history = history;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH + "/history", this::page);
        routes.post(PATH + "/restore", this::restore);
    }

    private record DeltaView(JsonNode from, JsonNode to) {}

    private record EntryView(int version, String act, Instant at, String by, Map<String, DeltaView> changes) {

        static EntryView of(HistoryEntry entry) {
            var changes = new LinkedHashMap<String, DeltaView>();
            entry.changes().forEach(delta -> changes.put(delta.attribute(), new DeltaView(delta.from(), delta.to())));
            return new EntryView(
                    entry.version(),
                    entry.act().name().toLowerCase(Locale.ROOT),
                    entry.at(),
                    entry.by().hex(),
                    changes);
        }
    }

    private void page(Context ctx) {
        var access = Requests.access(projects, ctx);
        var row = Requests.row(ctx);
        // Signed with the record's id, so that it is of no other record's history.
        var list = LIST + " " + row;
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        int before = cursors.read(list, request)
                .map(cursor -> Math.toIntExact(cursor.number(0)))
                .orElse(Integer.MAX_VALUE);
        var found = history.page(access, Requests.schema(ctx), row, before, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(list, Cursor.of(Integer.toString(last.version()))))
                .map(EntryView::of));
    }

    private record Restore(int version) {}

    private void restore(Context ctx) {
        var access = Requests.access(projects, ctx);
        int version = Body.json(ctx, Restore.class).version();
        var view = history.restore(access, Requests.schema(ctx), Requests.row(ctx), version, Requests.expected(ctx));
        ctx.header("ETag", view.tag()).json(view);
    }
}
