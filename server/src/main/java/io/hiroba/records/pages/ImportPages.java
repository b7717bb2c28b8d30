package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.DateOrder;
import io.hiroba.records.DecimalMark;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.transfer.ColumnChoices;
import io.hiroba.records.transfer.DurationReading;
import io.hiroba.records.transfer.Import;
import io.hiroba.records.transfer.ImportId;
import io.hiroba.records.transfer.ImportPreview;
import io.hiroba.records.transfer.ImportState;
import io.hiroba.records.transfer.Imports;
import io.hiroba.records.transfer.LineError;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Imports: the list, the preview with the mapping of columns, the start, the progress and the errors. */
public final class ImportPages implements Routes {

    private static final int PAGE = 30;
    private static final int MAX_LIMIT = 100;
    private static final String ONE = RecordPaths.PROJECT + "/-/imports/{import}";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final Imports imports;
    private final KeysetList<Import, Long> list;

    ImportPages(Shell shell, Readers readers, PageContext context, Imports imports, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.imports = imports;
        this.list = new KeysetList<>(
                cursors,
                "pages.imports",
                PAGE,
                MAX_LIMIT,
                cursor -> ImportId.parse(cursor.text(0)).value(),
                last -> Cursor.of(last.id().hex()));
    }

    /**
     * An import on its page.
     *
     * @param grid the path of its records
     * @param preview the preview; null after the start, or if the file cannot be read
     * @param problem the error of the whole file
     */
    public record View(
            ProjectHeader project,
            Item item,
            String grid,
            @Nullable PreviewedImport preview,
            List<LineError> errors,
            @Nullable Text problem,
            boolean isMine) {

        public View {
            errors = List.copyOf(errors);
        }
    }

    /** An import in a list and on its page. */
    public record Item(
            String id,
            String path,
            String schema,
            String source,
            ImportState state,
            Text stateLabel,
            int percent,
            long rows,
            long errors,
            long bytes,
            @Nullable Long size,
            @Nullable String failure,
            boolean skipsErrors,
            String when) {

        static Item of(Import found, Reader reader) {
            var failure = found.failure();
            return new Item(
                    found.id().hex(),
                    RecordPaths.part(found.project(), "imports/" + found.id().hex()),
                    found.schema(),
                    source(found.source(), reader),
                    found.state(),
                    found.state() == ImportState.UPLOADING && isHere(found)
                            ? Text.of("records.import-state.ready")
                            : Text.of("records.import-state."
                                    + found.state().name().toLowerCase(Locale.ROOT)),
                    found.percent(),
                    found.progress().rows(),
                    found.progress().errors(),
                    found.received(),
                    found.size(),
                    failure == null ? null : reader.text(failure),
                    found.options().skipErrors(),
                    reader.ago(found.id().createdAt()));
        }

        private static String source(String source, Reader reader) {
            if (source.isEmpty()) {
                return reader.text("records.import-unnamed");
            }
            int end = source.lastIndexOf(UploadPages.AS_OF);
            return FormValues.moment(end < 0 ? "" : source.substring(end + UploadPages.AS_OF.length()))
                    .map(changed -> reader.text(
                            "records.import-source",
                            "name",
                            source.substring(0, end),
                            "time",
                            reader.dateTime(changed)))
                    .orElse(source);
        }

        /** Whether the upload is complete. */
        static boolean isHere(Import found) {
            var size = found.size();
            return found.received() > 0 && (size == null || size == found.received());
        }

        public boolean isWaiting() {
            return state == ImportState.UPLOADING;
        }

        public boolean isRunning() {
            return state == ImportState.RUNNING;
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.PROJECT + "/-/imports", this::list);
        routes.get(ONE, ctx -> show(ctx, null));
        routes.post(
                ONE + "/columns",
                ctx -> act(ctx, access -> imports.columns(access.caller(), id(access), id(ctx), choices(ctx))));
        routes.post(ONE + "/start", ctx -> act(ctx, access -> imports.start(access.caller(), id(access), id(ctx))));
        routes.post(ONE + "/cancel", ctx -> act(ctx, access -> imports.cancel(access.caller(), id(access), id(ctx))));
    }

    private void list(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var shown = list.page(
                ctx,
                (before, limit) ->
                        imports.list(access.caller(), id(access), null, before.orElse(Long.MAX_VALUE), limit));
        var more = shown.next() == null ? "" : RecordPaths.part(id(access), "imports") + "?after=" + shown.next();
        var reader = readers.reader(ctx);
        shell.page(
                ctx,
                Text.of("records.imports"),
                "records/imports",
                Map.of(
                        "project",
                        ProjectHeader.of(access),
                        "imports",
                        shown.items().stream()
                                .map(each -> Item.of(each, reader))
                                .toList(),
                        "more",
                        more));
    }

    private void act(Context ctx, Consumer<ProjectAccess> act) {
        var access = context.project(ctx);
        try {
            act.accept(access);
            shell.seeOther(ctx, RecordPaths.part(id(access), "imports/" + id(ctx).hex()));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, RecordPaths.part(id(access), "imports/" + id(ctx).hex()));
            show(ctx, refusal.detail());
        }
    }

    private void show(Context ctx, @Nullable Text refused) {
        var access = context.project(ctx).requireEditor();
        var details = imports.details(access.caller(), id(access), id(ctx));
        var found = details.found();
        boolean mine = found.by().equals(access.user());
        var problem = refused;
        ImportPreview preview = null;
        if (found.state() == ImportState.UPLOADING && Item.isHere(found) && mine) {
            try {
                preview = imports.preview(access.caller(), id(access), found.id());
            } catch (Problem refusal) {
                if (!PageContext.belongsToForm(refusal)) {
                    throw refusal;
                }
                problem = refusal.detail();
            }
        }
        var view = new View(
                ProjectHeader.of(access),
                Item.of(found, readers.reader(ctx)),
                RecordPaths.schema(id(access), found.schema()),
                preview == null
                        ? null
                        : PreviewedImport.of(
                                new ColumnTargets(
                                        context.schema(access, found.schema()).orElse(null), preview, found),
                                preview,
                                found.options(),
                                readers.reader(ctx)),
                preview == null ? details.errors() : preview.errors(),
                problem,
                mine);
        var template = HtmxRequest.isFragment(ctx) ? "records/import-state" : "records/import";
        shell.page(
                ctx, Text.of("records.import-title", "source", view.item().source()), template, Map.of("view", view));
    }

    /** The mapping of columns in the form, which lists them in order. */
    private static Map<String, String> targets(Context ctx) {
        var columns = ctx.formParams("column");
        var chosen = ctx.formParams("to");
        var targets = new HashMap<String, String>();
        for (int i = 0; i < Math.min(columns.size(), chosen.size()); i++) {
            targets.put(columns.get(i), chosen.get(i));
        }
        return targets;
    }

    private static ColumnChoices choices(Context ctx) {
        var headerRow =
                Objects.requireNonNullElse(ctx.formParam("headerRow"), "").strip();
        return new ColumnChoices(
                targets(ctx),
                chosen(ctx, "dates", DateOrder::named),
                chosen(ctx, "durations", DurationReading::named),
                chosen(ctx, "decimal", DecimalMark::named),
                headerRow.isEmpty() ? null : headerRow.matches("[0-9]{1,9}") ? Integer.valueOf(headerRow) : 0);
    }

    private static <T> @Nullable T chosen(Context ctx, String field, Function<String, Optional<T>> named) {
        return Optional.ofNullable(ctx.formParam(field)).flatMap(named).orElse(null);
    }

    private static ProjectId id(ProjectAccess access) {
        return access.project().id();
    }

    private static ImportId id(Context ctx) {
        return ImportId.parse(ctx.pathParam("import"));
    }
}
