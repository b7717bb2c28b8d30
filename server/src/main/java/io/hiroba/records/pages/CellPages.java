package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Documents;
import io.hiroba.records.HistoryEntry;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordHistory;
import io.hiroba.records.RecordView;
import io.hiroba.records.Records;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The editor of a cell of the grid, and a row deleted and restored without a script. */
final class CellPages implements Routes {

    private static final String CELL = RecordPaths.RECORD + "/cell/{attribute}";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final Records records;
    private final RecordHistory history;

    CellPages(
            Shell shell,
            Readers readers,
            PageContext context,
            RecordTitles titles,
            Records records,
            RecordHistory history) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.titles = titles;
        this.records = records;
        this.history = history;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(CELL, this::look);
        routes.post(CELL, this::save);
        routes.post(RecordPaths.RECORD + "/delete", this::delete);
        routes.post(RecordPaths.RECORD + "/restore", this::restore);
    }

    private record Place(
            ProjectAccess access, RecordAccess recordAccess, SchemaAttribute attribute, RecordView record) {

        String path() {
            return RecordPaths.schema(
                            access.project().id(), recordAccess.schema().name()) + "/" + record.id();
        }
    }

    private Place place(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var recordAccess = context.schema(ctx, access);
        var attribute = recordAccess
                .attribute(ctx.pathParam("attribute"))
                .filter(recordAccess::canWrite)
                .orElseThrow(RecordsProblem::noRecord);
        return new Place(
                access,
                recordAccess,
                attribute,
                records.get(access, recordAccess.schema().name(), PageContext.row(ctx)));
    }

    private void look(Context ctx) {
        var place = place(ctx);
        if (ctx.queryParam("shown") != null) {
            shown(ctx, place, place.record());
        } else {
            editor(ctx, place, form(ctx, place), null);
        }
    }

    private void save(Context ctx) {
        var place = place(ctx);
        var form = form(ctx, place).read(ctx);
        var all = form.changes(place.record());
        var value = all.get(place.attribute().name());
        if (form.hasErrors()) {
            ctx.status(422);
            editor(ctx, place, form, null);
            return;
        }
        int version = RecordPages.version(ctx, place.record());
        try {
            if (version != place.record().version()) {
                throw RecordsProblem.otherVersion(place.record().version());
            }
            var record = value == null
                    ? place.record()
                    : records.patch(
                            place.access(),
                            place.recordAccess().schema().name(),
                            PageContext.row(ctx),
                            Documents.exact()
                                    .createObjectNode()
                                    .set(place.attribute().name(), value),
                            version);
            answer(ctx, place, record);
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            refused(ctx, place, form, refusal);
        }
    }

    private void answer(Context ctx, Place place, RecordView record) {
        if (HtmxRequest.isFragment(ctx)) {
            shown(ctx, place, record);
        } else {
            shell.seeOther(ctx, place.path(), Text.of("records.saved"));
        }
    }

    private void refused(Context ctx, Place place, RecordForm form, Problem refusal) {
        if (refusal.kind() != Problem.Kind.PRECONDITION_FAILED) {
            ctx.status(422);
            editor(ctx, place, form.refused(refusal), null);
            return;
        }
        ctx.status(412);
        var newer = place(ctx);
        var now = cell(ctx, newer, newer.record());
        editor(
                ctx,
                newer,
                form,
                shell.text(
                        ctx,
                        now.text().isEmpty()
                                ? Text.of("records.cell-conflict-empty")
                                : Text.of("records.cell-conflict", "value", now.text())));
    }

    private void editor(Context ctx, Place place, RecordForm form, @Nullable String conflict) {
        var problem = form.problem();
        var field = form.field(place.attribute(), place.record());
        var parameters = new HashMap<String, Object>();
        parameters.put("field", problem == null ? field : field.withError(problem));
        parameters.put("action", place.path() + "/cell/" + place.attribute().name());
        parameters.put(
                "choices",
                RecordPaths.schema(
                                place.access().project().id(),
                                place.recordAccess().schema().name()) + "/choices/"
                        + place.attribute().name());
        parameters.put("version", place.record().version());
        if (conflict != null) {
            parameters.put("conflict", conflict);
        }
        shell.fragment(ctx, "records/cell-editor", parameters);
    }

    private void shown(Context ctx, Place place, RecordView record) {
        shell.fragment(ctx, "records/cell", Map.of("cell", cell(ctx, place, record), "mayEdit", true));
    }

    private Cell cell(Context ctx, Place place, RecordView record) {
        var attribute = place.attribute();
        var value = record.values().get(attribute.name());
        return attribute.references() == null
                ? new CellFormatter(readers.reader(ctx), context::person)
                        .of(place.access().project().id())
                        .of(attribute, value)
                : titles.cell(place.access(), attribute, value);
    }

    private RecordForm form(Context ctx, Place place) {
        return new RecordForm(place.access(), place.recordAccess(), titles, readers.reader(ctx));
    }

    private void delete(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var recordAccess = context.schema(ctx, access);
        var row = PageContext.row(ctx);
        var path =
                RecordPaths.schema(access.project().id(), recordAccess.schema().name());
        try {
            records.delete(access, recordAccess.schema().name(), row, null);
        } catch (Problem refusal) {
            if (refusal.kind() != Problem.Kind.CONFLICT) {
                throw refusal;
            }
            shell.seeOther(ctx, path + "/" + row, refusal.detail());
            return;
        }
        shell.seeOther(ctx, path + "?deleted=" + row);
    }

    private void restore(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var recordAccess = context.schema(ctx, access);
        var row = PageContext.row(ctx);
        var name = recordAccess.schema().name();
        var last = history.page(access, name, row, Integer.MAX_VALUE, 1).getFirst();
        if (last.operation() == HistoryEntry.Operation.DELETED) {
            history.restore(access, name, row, last.version() - 1, last.version());
        }
        shell.seeOther(ctx, RecordPaths.record(access.project().id(), name, row), Text.of("records.record-restored"));
    }
}
