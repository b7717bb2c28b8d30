package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordHistory;
import io.hiroba.records.RecordView;
import io.hiroba.records.Records;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RowId;
import io.hiroba.records.WriteResult;
import io.hiroba.records.query.Queries;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Many cells of a grid changed in one request, all or none: pasted, filled, cleared, undone; and many rows deleted and restored.
 * Each row comes with the version that the reader sees, so that nothing is written over what they have not seen.
 */
final class GridBatchPages implements Routes {

    private static final ByteSize MAX_SIZE = ByteSize.parse("8MB");
    private static final int MAX_ROWS_SHOWN = 100;
    private static final int MAX_ROWS_CHANGED = 1000;

    /** The place of an error in a batch: the row, and the attribute if it is about one. */
    private static final Pattern PLACE = Pattern.compile("\\[(\\d{1,4})](?:\\.(.+))?", Pattern.DOTALL);

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;
    private final Records records;
    private final RecordHistory history;

    GridBatchPages(
            Shell shell,
            Readers readers,
            PageContext context,
            RecordTitles titles,
            Queries queries,
            Records records,
            RecordHistory history) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.titles = titles;
        this.queries = queries;
        this.records = records;
        this.history = history;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.SCHEMA + "/rows", this::show);
        routes.post(RecordPaths.SCHEMA + "/cells", this::change);
        routes.post(RecordPaths.SCHEMA + "/delete-rows", this::delete);
        routes.post(RecordPaths.SCHEMA + "/restore-rows", this::restore);
    }

    /**
     * A row to change.
     *
     * @param version that the reader sees
     * @param typed texts by attribute, as people write them
     * @param values by attribute, as an earlier change answered them
     */
    private record RowChange(
            RowId id,
            int version,
            @Nullable JsonNode typed,
            @Nullable JsonNode values) {}

    /** @param attribute null if it is about the whole row */
    private record CellError(String row, @Nullable String attribute, String message) {}

    private record Place(Context ctx, ProjectAccess access, RecordAccess recordAccess, Reader reader) {

        String schema() {
            return recordAccess.schema().name();
        }
    }

    private Place place(Context ctx) {
        var access = context.seen(ctx);
        return new Place(ctx, access, context.schema(ctx, access), readers.reader(ctx));
    }

    /** Rows by their ids as they are now; those that are gone are left out. */
    private void show(Context ctx) {
        var place = place(ctx);
        var ids = ctx.queryParams("id").stream().map(RowId::parse).toList();
        if (ids.size() > MAX_ROWS_SHOWN) {
            throw HttpProblem.invalid("id", Text.of("records.grid-too-many-rows", "max", MAX_ROWS_SHOWN));
        }
        rows(place, ids, Documents.exact().createArrayNode());
    }

    private void rows(Place place, List<RowId> ids, ArrayNode undo) {
        var found = records.find(place.access(), place.schema(), ids).records();
        var request = GridRequest.of(place.ctx(), place.recordAccess(), place.reader());
        var columns = request.columns(place.recordAccess());
        var rows = new GridRows(place.access(), place.recordAccess(), context, titles, place.reader());
        var lines = new ArrayList<Grid.Line>();
        for (var id : ids) {
            var record = found.get(id.toString());
            if (record != null) {
                lines.add(rows.of(record, columns));
            }
        }
        shell.fragment(
                place.ctx(),
                "records/changed",
                Map.of(
                        "grid", Grid.frame(place.access(), place.recordAccess(), request),
                        "lines", List.copyOf(lines),
                        "undo", undo.toString()));
    }

    private void change(Context ctx) {
        var place = place(ctx);
        place.access().requireEditor();
        var rows = rows(ctx);
        var before = records.find(
                        place.access(),
                        place.schema(),
                        rows.stream().map(RowChange::id).toList())
                .records();
        if (refusedAsOld(place, rows, before)) {
            return;
        }
        var errors = new ArrayList<CellError>();
        var changes = changes(place, rows, errors);
        if (!errors.isEmpty()) {
            refuse(ctx, 422, errors);
            return;
        }
        try {
            var written = records.change(place.access(), place.schema(), changes, true);
            rows(place, rows.stream().map(RowChange::id).toList(), undo(place, changes, before, written));
        } catch (Problem refusal) {
            refused(place, rows.stream().map(RowChange::id).toList(), refusal);
        }
    }

    private List<Records.Change> changes(Place place, List<RowChange> rows, List<CellError> errors) {
        var typed = new TypedCells(place.access(), context, queries, place.reader());
        var changes = new ArrayList<Records.Change>();
        for (var row : rows) {
            var values = Documents.exact().createObjectNode();
            if (row.values() instanceof ObjectNode given) {
                values.setAll(given);
            }
            if (row.typed() instanceof ObjectNode given) {
                given.forEachEntry((name, text) -> parse(place, typed, row.id(), name, text, values, errors));
            }
            changes.add(new Records.Change(row.id(), row.version(), values, true));
        }
        return changes;
    }

    private static void parse(
            Place place,
            TypedCells typed,
            RowId row,
            String name,
            JsonNode text,
            ObjectNode values,
            List<CellError> errors) {
        var attribute = place.recordAccess().attribute(name).orElse(null);
        if (attribute == null || !place.recordAccess().canWrite(attribute)) {
            errors.add(new CellError(row.toString(), name, place.reader().text("records.cell-read-only")));
            return;
        }
        try {
            values.set(attribute.name(), typed.json(attribute, text.asString("")));
        } catch (RecordsProblem refusal) {
            refusal.fields()
                    .forEach(fault -> errors.add(new CellError(
                            row.toString(), attribute.name(), place.reader().sentence(fault.message()))));
        }
    }

    /** What takes the change back: the values that were there, and the versions that there are now. */
    private static ArrayNode undo(
            Place place, List<Records.Change> changes, Map<String, RecordView> before, List<WriteResult> written) {
        var undo = Documents.exact().createArrayNode();
        for (int i = 0; i < changes.size(); i++) {
            var change = changes.get(i);
            var record = before.get(change.id().toString());
            if (record == null || !(written.get(i) instanceof WriteResult.Written(var row))) {
                continue;
            }
            var values = Documents.exact().createObjectNode();
            change.values()
                    .propertyNames()
                    .forEach(name -> place.recordAccess().attribute(name).ifPresent(attribute -> {
                        var was = record.values().get(attribute.name());
                        values.set(attribute.name(), was == null ? values.nullNode() : was);
                    }));
            undo.addObject()
                    .put("id", change.id().toString())
                    .put("version", row.version())
                    .set("values", values);
        }
        return undo;
    }

    /** Whether rows are gone or have other versions than the reader sees, which is answered. */
    private static boolean refusedAsOld(Place place, List<RowChange> rows, Map<String, RecordView> before) {
        var errors = new ArrayList<CellError>();
        for (var row : rows) {
            var record = before.get(row.id().toString());
            if (record == null) {
                errors.add(
                        new CellError(row.id().toString(), null, place.reader().text("records.row-gone")));
            } else if (record.version() != row.version()) {
                errors.add(
                        new CellError(row.id().toString(), null, place.reader().text("records.row-changed")));
            }
        }
        if (errors.isEmpty()) {
            return false;
        }
        refuse(place.ctx(), 412, errors);
        return true;
    }

    private static void refused(Place place, List<RowId> rows, Problem refusal) {
        if (!PageContext.belongsToForm(refusal) && refusal.kind() != Problem.Kind.NOT_FOUND) {
            throw refusal;
        }
        var errors = new ArrayList<CellError>();
        for (var fault : refusal.fields()) {
            var at = PLACE.matcher(fault.field());
            if (at.matches() && Integer.parseInt(at.group(1)) < rows.size()) {
                errors.add(new CellError(
                        rows.get(Integer.parseInt(at.group(1))).toString(),
                        at.group(2),
                        place.reader().sentence(fault.message())));
            }
        }
        if (errors.isEmpty()) {
            errors.add(new CellError("", null, place.reader().text(refusal.detail())));
        }
        refuse(
                place.ctx(),
                refusal.kind() == Problem.Kind.PRECONDITION_FAILED || refusal.kind() == Problem.Kind.NOT_FOUND
                        ? 412
                        : 422,
                errors);
    }

    private static void refuse(Context ctx, int status, List<CellError> errors) {
        ctx.status(status).json(Map.of("errors", errors));
    }

    /** @param version that of the deletion, by which it is restored */
    private record DeletedRow(String id, int version) {}

    private void delete(Context ctx) {
        var place = place(ctx);
        place.access().requireEditor();
        var rows = rows(ctx);
        try {
            var deletions = rows.stream()
                    .map(row -> new Records.Deletion(row.id(), row.version()))
                    .toList();
            var deleted = new ArrayList<DeletedRow>();
            for (var each : records.delete(place.access(), place.schema(), deletions, true)) {
                if (each instanceof WriteResult.Written(var row)) {
                    deleted.add(new DeletedRow(row.id().toString(), row.version()));
                }
            }
            ctx.json(Map.of("deleted", deleted));
        } catch (Problem refusal) {
            refused(place, rows.stream().map(RowChange::id).toList(), refusal);
        }
    }

    private void restore(Context ctx) {
        var place = place(ctx);
        place.access().requireEditor();
        var rows = rows(ctx);
        var ids = rows.stream().map(RowChange::id).toList();
        try {
            history.restore(
                    place.access(),
                    place.schema(),
                    rows.stream()
                            .map(row -> new RecordHistory.Restoration(row.id(), row.version()))
                            .toList());
        } catch (Problem refusal) {
            refused(place, ids, refusal);
            return;
        }
        rows(place, ids, Documents.exact().createArrayNode());
    }

    private static List<RowChange> rows(Context ctx) {
        var body =
                Body.exactJson(ctx, Body.bytes(ctx, MAX_SIZE), JsonNode.class).path("rows");
        if (!body.isArray() || body.isEmpty() || body.size() > MAX_ROWS_CHANGED) {
            throw HttpProblem.invalid("rows", Text.of("records.grid-too-many-rows", "max", MAX_ROWS_CHANGED));
        }
        return body.valueStream()
                .map(row -> new RowChange(
                        RowId.parse(row.path("id").asString("")),
                        row.path("version").asInt(-1),
                        row.get("typed"),
                        row.get("values")))
                .toList();
    }
}
