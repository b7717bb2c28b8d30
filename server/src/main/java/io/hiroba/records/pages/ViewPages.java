package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.views.ResolvedView;
import io.hiroba.records.views.ViewDefinition;
import io.hiroba.records.views.ViewDraft;
import io.hiroba.records.views.ViewId;
import io.hiroba.records.views.ViewRow;
import io.hiroba.records.views.Views;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Views in the browser: opened, kept of what a grid shows, edited and deleted. */
final class ViewPages implements Routes {

    private static final String VIEWS = RecordPaths.SCHEMA + "/views";
    private static final String VIEW = VIEWS + "/{view}";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final Views views;
    private final ViewKinds kinds;
    private final QuickSearch search;

    ViewPages(Shell shell, Readers readers, PageContext context, Views views, ViewKinds kinds, QuickSearch search) {
        this.search = search;
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.views = views;
        this.kinds = kinds;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(VIEWS, this::save);
        routes.get(VIEW, this::show);
        routes.get(VIEW + "/edit", ctx -> {
            var scope = scope(ctx);
            edit(ctx, scope, ViewEditor.of(scope, lines(scope)));
        });
        routes.post(VIEW + "/edit", this::change);
        routes.post(VIEW + "/update", this::update);
        routes.post(VIEW + "/columns", this::keepColumns);
        routes.post(VIEW + "/delete", this::delete);
        routes.post(VIEW + "/move", ctx -> kinds.board().move(ctx, scope(ctx)));
        routes.post(VIEW + "/submit", ctx -> {
            var scope = scope(ctx);
            kinds.form().submit(ctx, scope, tabs(scope));
        });
    }

    private ViewScope scope(Context ctx) {
        var access = context.project(ctx);
        var recordAccess = context.schema(ctx, access);
        var view = views.get(access, recordAccess.schema(), ViewId.parse(ctx.pathParam("view")));
        return scope(ctx, access, recordAccess, view);
    }

    private ViewScope scope(Context ctx, ProjectAccess access, RecordAccess recordAccess, ViewRow view) {
        return new ViewScope(access, views.resolved(access, recordAccess.schema(), view), readers.reader(ctx));
    }

    private ViewTabs tabs(ViewScope scope) {
        var recordAccess = scope.recordAccess();
        var listed = views.list(scope.access(), recordAccess.schema(), 0, 2 * Views.MAX_VIEWS);
        var query = "?view=" + scope.view().view().id().hex();
        return ViewTabs.of(scope.access(), recordAccess, listed, scope.view(), query, false, scope.chips(lines(scope)));
    }

    private FilterLines lines(ViewScope scope) {
        return new FilterLines(scope.reader(), () -> context.members(scope.access()));
    }

    private void show(Context ctx) {
        var scope = scope(ctx);
        switch (scope.view().view().kind()) {
            case GRID ->
                shell.seeOther(ctx, href(scope.schemaPath(), scope.view().view()));
            case BOARD -> kinds.board().show(ctx, scope, tabs(scope));
            case CALENDAR -> kinds.calendar().show(ctx, scope, tabs(scope));
            case GALLERY -> kinds.gallery().show(ctx, scope, tabs(scope));
            case FORM -> kinds.form().show(ctx, scope, tabs(scope));
        }
    }

    private static String href(String schemaPath, ViewRow view) {
        return ViewTabs.Tab.of(schemaPath, view).href();
    }

    /** Keeps what a grid shows, which stands in the query, as a view. */
    private void save(Context ctx) {
        var access = context.project(ctx);
        var recordAccess = context.schema(ctx, access);
        var path =
                RecordPaths.schema(access.project().id(), recordAccess.schema().name());
        var request = GridRequest.of(ctx, recordAccess, readers.reader(ctx));
        var base = base(access, recordAccess, request);
        var kind = ViewRow.Kind.named(Objects.requireNonNullElse(ctx.formParam("kind"), "grid"))
                .orElse(ViewRow.Kind.GRID);
        try {
            var before = base == null ? ViewDefinition.EMPTY : base.definition();
            var definition = shown(readers.reader(ctx), access, recordAccess, request, before, base, kind);
            var draft = new ViewDraft(
                    Objects.requireNonNullElse(ctx.formParam("name"), ""),
                    kind,
                    "project".equals(ctx.formParam("visibility")),
                    definition);
            var checked = views.check(access, recordAccess.schema(), draft, base == null ? null : base.view());
            var created = views.create(access, recordAccess.schema(), checked);
            shell.seeOther(ctx, href(path, created), Text.of("records.view-saved"));
        } catch (Problem refusal) {
            refused(ctx, refusal, path + request.query());
        }
    }

    /** Says why on the page that the form was on. */
    private void refused(Context ctx, Problem refusal, String path) {
        if (!PageContext.belongsToForm(refusal)) {
            throw refusal;
        }
        var reader = readers.reader(ctx);
        var message = refusal.fields().isEmpty()
                ? reader.text(refusal.detail())
                : reader.text(
                        "records.view-refused",
                        "field",
                        refusal.fields().getFirst().field(),
                        "message",
                        refusal.fields().getFirst().message());
        shell.seeOther(ctx, path, Text.verbatim(message));
    }

    private @Nullable ResolvedView base(ProjectAccess access, RecordAccess recordAccess, GridRequest request) {
        var id = request.view();
        return id == null
                ? null
                : views.resolved(
                        access, recordAccess.schema(), views.get(access, recordAccess.schema(), ViewId.parse(id)));
    }

    /** The definition of what a grid shows: that of the view it began with, and what the query adds. */
    private ViewDefinition shown(
            Reader reader,
            ProjectAccess access,
            RecordAccess recordAccess,
            GridRequest request,
            ViewDefinition before,
            @Nullable ResolvedView base,
            ViewRow.Kind kind) {
        var where = request.where(search.of(access, recordAccess), reader).orElse(null);
        var sort = request.sort().isEmpty()
                ? before.sort()
                : request.sort().stream()
                        .map(key ->
                                new ViewDefinition.SortKey(key.attribute(), key.descending() ? "desc" : "asc", null))
                        .toList();
        var columns = request.columns().isEmpty() ? before.columns() : columns(recordAccess, request, base);
        return before.with(ViewScope.both(before.filter(), where), sort, columns)
                .with(suited(recordAccess, kind, before.set()));
    }

    private static List<ViewDefinition.Column> columns(
            RecordAccess recordAccess, GridRequest request, @Nullable ResolvedView base) {
        var shown = request.columns(recordAccess);
        var columns = new ArrayList<ViewDefinition.Column>();
        var all = new ArrayList<>(shown);
        recordAccess.shown().stream().filter(each -> !shown.contains(each)).forEach(all::add);
        for (var attribute : all) {
            var kept = base == null
                    ? Optional.<ResolvedView.ShownColumn>empty()
                    : base.columns().stream()
                            .filter(each -> each.attribute().equals(attribute))
                            .findFirst();
            columns.add(new ViewDefinition.Column(
                    String.valueOf(attribute.id()),
                    !shown.contains(attribute),
                    kept.map(ResolvedView.ShownColumn::width).orElse(null),
                    kept.map(ResolvedView.ShownColumn::frozen).orElse(null)));
        }
        if (base != null) {
            columns.addAll(base.unseen());
        }
        return columns;
    }

    /** With the first attribute that suits the kind, where none is chosen yet. */
    private static ViewDefinition.Settings suited(
            RecordAccess recordAccess, ViewRow.Kind kind, ViewDefinition.Settings settings) {
        var by = settings.by();
        var date = settings.date();
        if (kind == ViewRow.Kind.BOARD && by == null) {
            by = first(recordAccess, SchemaAttribute::isSelect)
                    .or(() -> first(recordAccess, SchemaAttribute::isLane))
                    .orElse(null);
        }
        if (kind == ViewRow.Kind.CALENDAR && date == null) {
            date = first(recordAccess, each -> each.type().isTime()).orElse(null);
        }
        return new ViewDefinition.Settings(
                by,
                date,
                settings.title(),
                settings.cover(),
                settings.fields(),
                settings.heading(),
                settings.description(),
                settings.thanks());
    }

    private static Optional<String> first(RecordAccess recordAccess, Predicate<SchemaAttribute> suits) {
        return recordAccess.shown().stream()
                .filter(each -> each.type().isOrdered() && suits.test(each))
                .map(each -> String.valueOf(each.id()))
                .findFirst();
    }

    /** Has the view hold what the grid shows now. */
    private void update(Context ctx) {
        var scope = changed(ctx);
        var before = scope.view().view();
        var request = GridRequest.of(ctx, scope.recordAccess(), readers.reader(ctx));
        if (!Integer.toString(before.version()).equals(ctx.formParam("version"))) {
            shell.seeOther(ctx, scope.schemaPath() + request.query(), Text.of("records.view-conflict"));
            return;
        }
        // What is hidden from this editor stays in it: others see less by it.
        var definition = shown(
                scope.reader(),
                scope.access(),
                scope.recordAccess(),
                request,
                before.definition(),
                scope.view(),
                before.kind());
        store(
                ctx,
                scope,
                new ViewDraft(before.name(), before.kind(), before.shared(), definition),
                refusal -> refused(ctx, refusal, scope.schemaPath() + request.query()));
    }

    private record ColumnWidth(String name, int width) {}

    /** @param version that of the view that the page shows */
    private record Columns(List<ColumnWidth> columns, int version) {}

    /** Keeps the order and the widths that the columns of a grid were dragged to, and answers the version that the view has then. */
    private void keepColumns(Context ctx) {
        var scope = changed(ctx);
        var before = scope.view().view();
        var body = Body.json(ctx, Columns.class);
        if (body.version() != before.version()) {
            // The page does not show which columns others have added or hidden since.
            throw RecordsProblem.otherVersion(before.version());
        }
        var given = body.columns();
        var request = GridRequest.of(ctx, scope.recordAccess(), readers.reader(ctx))
                .withColumns(given.stream()
                        .flatMap(each -> scope.recordAccess().attribute(each.name()).stream())
                        .map(SchemaAttribute::name)
                        .distinct()
                        .toList());
        var widths = given.stream()
                .flatMap(each -> scope.recordAccess().attribute(each.name()).stream()
                        .map(attribute -> Map.entry(String.valueOf(attribute.id()), each.width())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (first, second) -> first));
        var columns = columns(scope.recordAccess(), request, scope.view()).stream()
                .map(each -> new ViewDefinition.Column(
                        each.attribute(),
                        each.hidden(),
                        widths.getOrDefault(each.attribute(), each.width()),
                        each.frozen()))
                .toList();
        var definition = before.definition();
        var draft = new ViewDraft(
                before.name(),
                before.kind(),
                before.shared(),
                definition.with(definition.filter(), definition.sort(), columns));
        var schema = scope.recordAccess().schema();
        var changed = views.change(scope.access(), schema, before, views.check(scope.access(), schema, draft, before));
        ctx.json(Map.of("version", changed.version()));
    }

    private void change(Context ctx) {
        var scope = changed(ctx);
        var editor = ViewEditor.typed(ctx, scope, lines(scope));
        if (!editor.isOf(scope.view().view())) {
            conflicted(ctx);
            return;
        }
        if (editor.filter().hasErrors()) {
            ctx.status(422);
            edit(ctx, scope, editor);
            return;
        }
        store(ctx, scope, editor.draft(scope), refusal -> {
            if (refusal.kind() == Problem.Kind.PRECONDITION_FAILED) {
                conflicted(ctx);
                return;
            }
            shell.refused(ctx, refusal, scope.path() + "/edit");
            edit(ctx, scope, editor.refused(refusal, scope.reader()));
        });
    }

    /** The view in the path, for those who may change it. */
    private ViewScope changed(Context ctx) {
        var scope = scope(ctx);
        if (scope.view().view().shared()) {
            scope.access().requireEditor();
        }
        return scope;
    }

    /** Shows the view as somebody else has changed it meanwhile, in place of what was typed. */
    private void conflicted(Context ctx) {
        var now = scope(ctx);
        ctx.status(412);
        edit(ctx, now, ViewEditor.of(now, lines(now)).withProblem(now.reader().text("records.view-conflict")));
    }

    private void store(Context ctx, ViewScope scope, ViewDraft draft, Consumer<Problem> whenRefused) {
        var schema = scope.recordAccess().schema();
        try {
            var checked =
                    views.check(scope.access(), schema, draft, scope.view().view());
            var changed = views.change(scope.access(), schema, scope.view().view(), checked);
            shell.seeOther(ctx, href(scope.schemaPath(), changed), Text.of("records.view-saved"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            whenRefused.accept(refusal);
        }
    }

    private void delete(Context ctx) {
        var scope = changed(ctx);
        var given = Objects.requireNonNullElse(ctx.formParam("version"), "");
        try {
            views.delete(
                    scope.access(),
                    scope.recordAccess().schema(),
                    scope.view().view().id(),
                    given.matches("[0-9]{1,9}") ? Integer.parseInt(given) : 0);
            shell.seeOther(ctx, scope.schemaPath(), Text.of("records.view-deleted"));
        } catch (RecordsProblem refusal) {
            if (refusal.kind() != Problem.Kind.PRECONDITION_FAILED) {
                throw refusal;
            }
            conflicted(ctx);
        }
    }

    private void edit(Context ctx, ViewScope scope, ViewEditor editor) {
        shell.page(
                ctx,
                Text.verbatim(scope.view().view().name()),
                "records/view-edit",
                Map.of("tabs", tabs(scope), "editor", editor));
    }
}
