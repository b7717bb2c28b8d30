package io.hiroba.records;

import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The history of records and restoring over HTTP. */
final class HistoryRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/records/{schema}/{row}";
    private static final String LIST = "record-history";

    private final Projects projects;
    private final RecordHistory history;
    private final Cursors cursors;

    HistoryRoutes(Projects projects, RecordHistory history, Cursors cursors) {
        this.projects = projects;
        this.history = history;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH + "/history", FormerNames.noting(this::page));
        routes.post(PATH + "/restore", FormerNames.noting(this::restore));
    }

    private record DeltaView(JsonNode from, JsonNode to) {}

    private record EntryView(int version, String act, Instant at, String by, Map<String, DeltaView> changes) {

        static EntryView of(HistoryEntry entry) {
            var changes = new LinkedHashMap<String, DeltaView>();
            entry.changes().forEach(delta -> changes.put(delta.attribute(), new DeltaView(delta.from(), delta.to())));
            return new EntryView(
                    entry.version(),
                    entry.operation().name().toLowerCase(Locale.ROOT),
                    entry.at(),
                    entry.by().hex(),
                    changes);
        }
    }

    private void page(Context ctx) {
        var access = RecordRequests.access(projects, ctx);
        var row = RecordRequests.row(ctx);
        // Signed with the record's id, so that it is not valid for other records.
        var list = new KeysetList<HistoryEntry, Integer>(
                cursors,
                LIST + " " + row,
                cursor -> Math.toIntExact(cursor.number(0)),
                last -> Cursor.of(Integer.toString(last.version())));
        var schema = RecordRequests.schema(ctx);
        ctx.json(list.page(
                        ctx,
                        (before, limit) -> history.page(access, schema, row, before.orElse(Integer.MAX_VALUE), limit))
                .map(EntryView::of));
    }

    private record Restore(int version) {}

    private void restore(Context ctx) {
        var access = RecordRequests.access(projects, ctx);
        int version = Body.json(ctx, Restore.class).version();
        var view = history.restore(
                access, RecordRequests.schema(ctx), RecordRequests.row(ctx), version, RecordRequests.expected(ctx));
        ctx.header("ETag", view.tag()).json(view);
    }
}
