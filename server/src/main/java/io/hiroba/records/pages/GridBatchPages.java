package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ConflictRetry;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordEdits;
import io.hiroba.records.RecordHistory;
import io.hiroba.records.RecordView;
import io.hiroba.records.Records;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RowId;
import io.hiroba.records.query.Queries;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Many cells of a grid changed in one request, all or none: pasted, filled, cleared, undone, with new rows where the grid ends; and
 * many rows deleted and restored. Each row comes with the version that the reader sees, so that nothing is written over what they have not seen.
 */
final class GridBatchPages implements Routes {

    private static final int MAX_ROWS_SHOWN = 100;

    /** The place of an error in a batch: the row, and the attribute if it is about one. */
    private static final Pattern PLACE = Pattern.compile("\\[(\\d{1,4})](?:\\.(.+))?", Pattern.DOTALL);

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;
    private final RecordEdits edits;
    private final Idempotency idempotency;

    GridBatchPages(
            Shell shell,
            Readers readers,
            PageContext context,
            RecordTitles titles,
            Queries queries,
            RecordEdits edits,
            Idempotency idempotency) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.titles = titles;
        this.queries = queries;
        this.edits = edits;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.SCHEMA + "/rows", this::show);
        routes.post(RecordPaths.SCHEMA + "/cells", this::change);
        routes.post(RecordPaths.SCHEMA + "/delete-rows", this::delete);
        routes.post(RecordPaths.SCHEMA + "/restore-rows", this::restore);
    }

    /** @param version after the write */
    private record WrittenRow(String id, int version) {}

    private record Written(List<WrittenRow> changed, List<WrittenRow> created, List<WrittenRow> deleted) {}

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
        rows(
                place,
                ids,
                new Written(List.of(), List.of(), List.of()),
                Documents.exact().createArrayNode());
    }

    private void rows(Place place, List<RowId> ids, Written written, ArrayNode undo) {
        var found = edits.find(place.access(), place.schema(), ids);
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
                        "created", Json.text(written.created()),
                        "deleted", Json.text(written.deleted()),
                        "undo", undo.toString()));
    }

    private void change(Context ctx) {
        var place = place(ctx);
        place.access().requireEditor();
        var sent = GridEdits.read(ctx);
        var changed = sent.rows().stream().map(GridEdits.Row::id).toList();
        var before = edits.find(place.access(), place.schema(), changed);
        if (refusedAsOld(place, sent.rows(), before)) {
            return;
        }
        var errors = new ArrayList<CellError>();
        var batch = batch(place, sent, errors);
        if (!errors.isEmpty()) {
            refuse(ctx, 422, errors);
            return;
        }
        try {
            var written = write(place, sent, batch);
            var shown = Stream.of(
                            changed.stream(),
                            written.created().stream().map(each -> RowId.parse(each.id())),
                            sent.restored().stream().map(GridEdits.Row::id))
                    .flatMap(Function.identity())
                    .toList();
            rows(place, shown, written, undo(place, batch.changed(), before, written));
        } catch (Problem refusal) {
            refused(place, sent.places(), refusal);
        }
    }

    /** Writes a batch; what is created, only once if the request comes again. */
    private Written write(Place place, GridEdits sent, RecordEdits.Batch batch) {
        var answer = ConflictRetry.run(prechecked -> idempotency.once(
                place.ctx(),
                place.access().user().hex(),
                sent.key(),
                sent.hash().getBytes(StandardCharsets.US_ASCII),
                tx -> {
                    var rows = edits.write(tx, place.access(), place.schema(), batch, prechecked).stream()
                            .map(row -> new WrittenRow(row.id().toString(), row.version()))
                            .toList();
                    int created = batch.changed().size();
                    int deleted = created + batch.created().size();
                    return Answer.ok(new Written(
                            rows.subList(0, created),
                            rows.subList(created, deleted),
                            rows.subList(deleted, rows.size())));
                }));
        return Json.read(answer.body(), Written.class);
    }

    private RecordEdits.Batch batch(Place place, GridEdits sent, List<CellError> errors) {
        var typed = new TypedCells(place.access(), context, queries, place.reader());
        Stream.concat(
                        sent.rows().stream().map(GridEdits.Row::cells),
                        sent.created().stream().map(GridEdits.NewRow::cells))
                .forEach(cells -> note(place, typed, cells));
        return new RecordEdits.Batch(
                sent.rows().stream()
                        .map(row -> new Records.Change(
                                row.id(), row.version(), values(place, typed, row.place(), row.cells(), errors), true))
                        .toList(),
                sent.created().stream()
                        .<JsonNode>map(row -> values(place, typed, row.place(), row.cells(), errors))
                        .toList(),
                sent.deleted().stream()
                        .map(row -> new Records.Deletion(row.id(), row.version()))
                        .toList(),
                sent.restored().stream()
                        .map(row -> new RecordHistory.Restoration(row.id(), row.version()))
                        .toList());
    }

    private static void note(Place place, TypedCells typed, GridEdits.Cells cells) {
        if (cells.typed() instanceof ObjectNode given) {
            given.forEachEntry((name, text) -> place.recordAccess()
                    .attribute(name)
                    .ifPresent(attribute -> typed.note(attribute, text.asString(""))));
        }
    }

    private static ObjectNode values(
            Place place, TypedCells typed, String row, GridEdits.Cells cells, List<CellError> errors) {
        var values = Documents.exact().createObjectNode();
        if (cells.values() instanceof ObjectNode given) {
            values.setAll(given);
        }
        if (cells.typed() instanceof ObjectNode given) {
            given.forEachEntry((name, text) -> parse(place, typed, row, name, text, values, errors));
        }
        return values;
    }

    private static void parse(
            Place place,
            TypedCells typed,
            String row,
            String name,
            JsonNode text,
            ObjectNode values,
            List<CellError> errors) {
        var attribute = place.recordAccess().attribute(name).orElse(null);
        if (attribute == null || !place.recordAccess().canWrite(attribute)) {
            errors.add(new CellError(row, name, place.reader().text("records.cell-read-only")));
            return;
        }
        try {
            values.set(attribute.name(), typed.json(attribute, text.asString("")));
        } catch (RecordsProblem refusal) {
            refusal.fields()
                    .forEach(fault -> errors.add(
                            new CellError(row, attribute.name(), place.reader().sentence(fault.message()))));
        }
    }

    /** What takes the changes back: the values that were there, and the versions that there are now. */
    private static ArrayNode undo(
            Place place, List<Records.Change> changes, Map<String, RecordView> before, Written written) {
        var undo = Documents.exact().createArrayNode();
        for (int i = 0; i < changes.size(); i++) {
            var change = changes.get(i);
            var record = Objects.requireNonNull(before.get(change.id().toString()));
            var values = Documents.exact().createObjectNode();
            change.values()
                    .propertyNames()
                    .forEach(name -> place.recordAccess().attribute(name).ifPresent(attribute -> {
                        var was = record.values().get(attribute.name());
                        values.set(attribute.name(), was == null ? values.nullNode() : was);
                    }));
            undo.addObject()
                    .put("id", change.id().toString())
                    .put("version", written.changed().get(i).version())
                    .set("values", values);
        }
        return undo;
    }

    /** Whether rows are gone or have other versions than the reader sees, which is answered. */
    private static boolean refusedAsOld(Place place, List<GridEdits.Row> rows, Map<String, RecordView> before) {
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

    private static void refused(Place place, List<String> rows, Problem refusal) {
        if (!PageContext.belongsToForm(refusal) && refusal.kind() != Problem.Kind.NOT_FOUND) {
            throw refusal;
        }
        var errors = new ArrayList<CellError>();
        for (var fault : refusal.fields()) {
            var at = PLACE.matcher(fault.field());
            if (at.matches() && Integer.parseInt(at.group(1)) < rows.size()) {
                errors.add(new CellError(
                        rows.get(Integer.parseInt(at.group(1))),
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

    private void delete(Context ctx) {
        var place = place(ctx);
        place.access().requireEditor();
        var sent = GridEdits.deletion(ctx);
        try {
            ctx.json(write(place, sent, batch(place, sent, new ArrayList<>())));
        } catch (Problem refusal) {
            refused(place, sent.places(), refusal);
        }
    }

    private void restore(Context ctx) {
        var place = place(ctx);
        place.access().requireEditor();
        var sent = GridEdits.restoration(ctx);
        try {
            var written = write(place, sent, batch(place, sent, new ArrayList<>()));
            var ids = sent.restored().stream().map(GridEdits.Row::id).toList();
            rows(place, ids, written, Documents.exact().createArrayNode());
        } catch (Problem refusal) {
            refused(place, sent.places(), refusal);
        }
    }
}
