package io.hiroba.records.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.AccessRules.WriteKind;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.query.BulkEdit;
import io.hiroba.records.query.BulkEdits;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.RelativeDays;
import io.hiroba.records.views.ResolvedView;
import io.hiroba.records.views.ViewId;
import io.hiroba.records.views.Views;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The pages on which all records that a grid shows are deleted or changed: the question with their number, and how far it has come. */
public final class BulkEditPages implements Routes {

    private static final String BULK = RecordPaths.SCHEMA + "/bulk";
    private static final String EDIT = BULK + "/{edit}";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final Queries queries;
    private final Views views;
    private final BulkEdits edits;
    private final QuickSearch search;

    BulkEditPages(Shell shell, Readers readers, PageContext context, Queries queries, Views views, BulkEdits edits) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.queries = queries;
        this.views = views;
        this.edits = edits;
        this.search = new QuickSearch(context, queries);
    }

    /**
     * The question before records are written.
     *
     * @param path of the records
     * @param action of the forms
     * @param count how many records match
     * @param conditions in words; empty for all records
     * @param attributes those that can be changed
     */
    public record Question(
            ProjectHeader project,
            String schema,
            String path,
            String action,
            long count,
            List<String> conditions,
            boolean mayDelete,
            List<Filter.Choice> attributes) {

        public Question {
            conditions = List.copyOf(conditions);
            attributes = List.copyOf(attributes);
        }
    }

    /** A record that was not written, with its path. */
    public record RefusedRecord(String path, Text reason) {}

    /** A bulk edit that is under way or has ended. */
    public record JobView(
            ProjectHeader project,
            String schema,
            String schemaPath,
            String path,
            BulkEdit edit,
            boolean isUndoable,
            List<RefusedRecord> refused) {

        public JobView {
            refused = List.copyOf(refused);
        }

        /** The progress in percent. */
        public long percent() {
            var progress = edit.progress();
            return edit.isRunning()
                    ? Math.min(99, (progress.written() + progress.refused()) * 100 / Math.max(1, progress.total()))
                    : 100;
        }

        /** How it stands, in words. */
        public Text heading() {
            return Text.of(
                    switch (edit.state()) {
                        case RUNNING -> "records.bulk-running";
                        case DONE -> "records.bulk-done";
                        case STOPPED -> "records.bulk-stopped";
                        case FAILED -> "records.bulk-failed";
                    });
        }

        public Text written() {
            var words = switch (edit.operation()) {
                case DELETE -> "records.bulk-deleted";
                case UPDATE -> "records.bulk-changed";
                case UNDO -> "records.bulk-undone";
            };
            return Text.of(
                    words,
                    "count",
                    edit.progress().written(),
                    "total",
                    edit.progress().total());
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(BULK, ctx -> ask(ctx, Form.EMPTY));
        routes.post(BULK, this::start);
        routes.get(EDIT, this::progress);
        routes.post(EDIT + "/stop", ctx -> {
            var access = context.project(ctx);
            edits.stop(Caller.of(ctx), access.project().id(), id(ctx));
            shell.seeOther(
                    ctx, path(ctx, access) + "/bulk/" + ctx.pathParam("edit"), Text.of("records.bulk-stop-asked"));
        });
        routes.post(EDIT + "/undo", this::undo);
    }

    /** The records that a grid shows: all of its conditions hold, or nothing is written. */
    private record Selection(
            ProjectAccess access,
            RecordAccess recordAccess,
            GridRequest request,
            @Nullable JsonNode where,
            List<String> words) {}

    private Selection selection(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var recordAccess = context.schema(ctx, access);
        var reader = readers.reader(ctx);
        var request = GridRequest.of(ctx, recordAccess, reader);
        boolean unknown = ctx.queryParams("a").stream()
                .anyMatch(
                        name -> !name.isEmpty() && recordAccess.attribute(name).isEmpty());
        var attributes = GridPages.attributes(recordAccess);
        var view = view(access, recordAccess, request);
        if (unknown
                || request.seeAs() != null
                || !request.errors(attributes, reader).isEmpty()) {
            throw RecordsProblem.invalid("where", Text.of("records.bulk-filter"));
        }
        var lines = new FilterLines(reader, () -> context.members(access));
        var words = new ArrayList<String>();
        if (view != null) {
            words.add(shell.text(
                    ctx, Text.of("records.bulk-of-view", "view", view.view().name())));
        }
        lines.of(request, attributes, "").forEach(line -> words.add(line.text()));
        if (!request.search().isEmpty()) {
            words.add(shell.text(ctx, Text.of("records.bulk-search", "text", request.search())));
        }
        var where = request.where(search.of(access, recordAccess), reader).orElse(null);
        var selected = view == null ? where : ViewScope.both(view.filter(), where);
        return new Selection(
                access,
                recordAccess,
                request,
                selected == null ? null : RelativeDays.in(selected, reader.zone()),
                words);
    }

    private @Nullable ResolvedView view(ProjectAccess access, RecordAccess recordAccess, GridRequest request) {
        if (request.view() == null) {
            return null;
        }
        var schema = recordAccess.schema();
        var view = views.get(access, schema, ViewId.parse(request.view()));
        if (!views.isFilterWhole(access, schema, view)) {
            throw RecordsProblem.invalid("where", Text.of("records.bulk-filter"));
        }
        return views.resolved(access, schema, view);
    }

    private void ask(Context ctx, Form form) {
        var selected = selection(ctx);
        var recordAccess = selected.recordAccess();
        var name = recordAccess.schema().name();
        var project = selected.access().project().id();
        var path = RecordPaths.schema(project, name);
        var question = new Question(
                ProjectHeader.of(selected.access()),
                recordAccess.schema().label(),
                path,
                path + "/bulk" + selected.request().query(),
                edits.count(Caller.of(ctx), project, name, selected.where()),
                selected.words(),
                recordAccess.may(WriteKind.DELETE),
                recordAccess.may(WriteKind.UPDATE)
                        ? FilterLines.choices(recordAccess.shown().stream()
                                .filter(each -> recordAccess.canWrite(each) && !each.isAttachments() && !each.unique())
                                .toList())
                        : List.of());
        shell.page(
                ctx,
                Text.of("records.bulk-title", "schema", recordAccess.schema().label()),
                "records/bulk",
                Map.of("view", question, "form", form));
    }

    private void start(Context ctx) {
        var form = Form.of(ctx, "operation", "attribute", "value", "expected", "all");
        try {
            var selected = selection(ctx);
            var expected = form.value("expected");
            var request = new BulkEdits.Request(
                    selected.recordAccess().schema().name(),
                    selected.where(),
                    form.isChecked("all"),
                    form.value("operation").equals("delete") ? null : changes(ctx, selected, form),
                    expected.matches("[0-9]{1,15}") ? (Long) Long.parseLong(expected) : null);
            var started =
                    edits.start(Caller.of(ctx), selected.access().project().id(), request);
            shell.seeOther(ctx, path(ctx, selected.access()) + "/bulk/" + Ids.hex(started.id()));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, ctx.path());
            ask(ctx, form.refused(refusal).withProblem(reason(refusal)));
        }
    }

    private static Text reason(Problem refusal) {
        return refusal.fields().isEmpty()
                ? refusal.detail()
                : refusal.fields().getFirst().message();
    }

    private JsonNode changes(Context ctx, Selection selected, Form form) {
        var attribute = selected.recordAccess()
                .attribute(form.value("attribute"))
                .filter(selected.recordAccess()::canWrite)
                .orElseThrow(() -> RecordsProblem.invalid("attribute", Text.of("records.bulk-attribute")));
        var typed = new TypedCells(selected.access(), context, queries, readers.reader(ctx));
        return Documents.exact().createObjectNode().set(attribute.name(), typed.json(attribute, form.value("value")));
    }

    private void undo(Context ctx) {
        var access = context.project(ctx);
        try {
            var undo = edits.undo(Caller.of(ctx), access.project().id(), id(ctx));
            shell.seeOther(ctx, path(ctx, access) + "/bulk/" + Ids.hex(undo.id()));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.seeOther(ctx, path(ctx, access) + "/bulk/" + ctx.pathParam("edit"), refusal.detail());
        }
    }

    private void progress(Context ctx) {
        var access = context.project(ctx);
        var schema = context.schema(ctx, access).schema();
        var edit = edits.get(Caller.of(ctx), access.project().id(), id(ctx));
        var schemaPath = RecordPaths.schema(access.project().id(), schema.name());
        var view = new JobView(
                ProjectHeader.of(access),
                schema.label(),
                schemaPath,
                schemaPath + "/bulk/" + Ids.hex(edit.id()),
                edit,
                edits.isUndoable(edit),
                edit.progress().refusals().stream()
                        .map(each -> new RefusedRecord(schemaPath + "/" + each.row(), each.reason()))
                        .toList());
        shell.page(
                ctx,
                Text.of("records.bulk-title", "schema", schema.label()),
                HtmxRequest.isFragment(ctx) ? "records/bulk-state" : "records/bulk-progress",
                Map.of("view", view));
    }

    private String path(Context ctx, ProjectAccess access) {
        return RecordPaths.schema(
                access.project().id(), context.schema(ctx, access).schema().name());
    }

    private static long id(Context ctx) {
        var given = ctx.pathParam("edit");
        return Ids.isId(given) ? Ids.parse(given) : 0;
    }
}
