package io.hiroba.records.pages;

import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.ProjectId;
import io.hiroba.records.transfer.Import;
import io.hiroba.records.transfer.ImportId;
import io.hiroba.records.transfer.ImportState;
import io.hiroba.records.transfer.Imports;
import io.hiroba.records.transfer.Preview;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Imports: what would become of a file, letting it begin, how far it is and what came of it. */
public final class ImportPages implements Routes {

    private static final int PAGE = 30;
    private static final int MOST = 100;
    private static final String LIST = "pages.imports";
    private static final String ONE = Paths.PROJECT + "/-/imports/{import}";

    private final Shell shell;
    private final Times times;
    private final Entrance entrance;
    private final Imports imports;
    private final Cursors cursors;

    public ImportPages(Shell shell, Times times, Entrance entrance, Imports imports, Cursors cursors) {
        this.shell = shell;
        this.times = times;
        this.entrance = entrance;
        this.imports = imports;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.PROJECT + "/-/imports", this::list);
        routes.get(ONE, ctx -> show(ctx, null));
        routes.post(
                ONE + "/columns",
                ctx -> act(ctx, access -> imports.columns(access.caller(), id(access), id(ctx), targets(ctx))));
        routes.post(ONE + "/start", ctx -> act(ctx, access -> imports.start(access.caller(), id(access), id(ctx))));
        routes.post(ONE + "/cancel", ctx -> act(ctx, access -> imports.cancel(access.caller(), id(access), id(ctx))));
    }

    private void list(Context ctx) {
        var access = entrance.project(ctx).requireEditor();
        var request = PageRequest.of(ctx, PAGE, MOST);
        long before = cursors.read(LIST, request)
                .map(cursor -> ImportId.parse(cursor.text(0)).value())
                .orElse(Long.MAX_VALUE);
        var found = imports.list(access.caller(), id(access), null, before, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var more = found.size() > shown.size()
                ? Paths.part(id(access), "imports") + "?after="
                        + cursors.write(LIST, Cursor.of(shown.getLast().id().hex()))
                : "";
        var when = times.when(ctx);
        shell.page(
                ctx,
                "Imports",
                "records/imports",
                Map.of(
                        "project",
                        ProjectHead.of(access),
                        "imports",
                        shown.stream().map(each -> ImportItem.of(each, when)).toList(),
                        "more",
                        more));
    }

    private void act(Context ctx, Consumer<Access> act) {
        var access = entrance.project(ctx);
        try {
            act.accept(access);
            shell.seeOther(ctx, Paths.part(id(access), "imports/" + id(ctx).hex()));
        } catch (Problem refusal) {
            if (!Entrance.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, Paths.part(id(access), "imports/" + id(ctx).hex()));
            show(ctx, refusal.detail());
        }
    }

    private void show(Context ctx, @Nullable String refused) {
        var access = entrance.project(ctx).requireEditor();
        var details = imports.details(access.caller(), id(access), id(ctx));
        var found = details.found();
        boolean mine = found.by().equals(access.user());
        var problem = refused;
        Preview preview = null;
        if (found.state() == ImportState.UPLOADING && ImportItem.isHere(found) && mine) {
            try {
                preview = imports.preview(access.caller(), id(access), found.id());
            } catch (Problem refusal) {
                if (!Entrance.belongsToForm(refusal)) {
                    throw refusal;
                }
                problem = refusal.detail();
            }
        }
        var sheet = new ImportSheet(
                ProjectHead.of(access),
                ImportItem.of(found, times.when(ctx)),
                Paths.schema(id(access), found.schema()),
                preview == null ? null : shown(access, preview, found),
                preview == null ? details.errors() : preview.errors(),
                problem,
                mine);
        var template = HtmxRequest.isAskedFor(ctx) ? "records/import-state" : "records/import";
        shell.page(ctx, "Import of " + sheet.item().source(), template, Map.of("sheet", sheet));
    }

    private ImportSheet.Preview shown(Access access, Preview preview, Import found) {
        var targets = new ColumnTargets(entrance.schema(access, found.schema()).orElse(null), preview, found);
        var columns = preview.columns().stream().map(targets::of).toList();
        var lines = new ArrayList<ImportSheet.Line>();
        for (var row : preview.rows()) {
            lines.add(new ImportSheet.Line(
                    row.line(),
                    preview.columns().stream()
                            .map(column -> {
                                var name = column.attribute();
                                var value = name == null ? null : row.values().get(name);
                                return value == null || value.isNull()
                                        ? ""
                                        : Cells.cut(value.isContainer() ? value.toString() : value.asString());
                            })
                            .toList()));
        }
        var about = preview.whole()
                ? "All %,d records of the file were looked at.".formatted(preview.lines())
                : "The first %,d records of the file were looked at.".formatted(preview.lines());
        return new ImportSheet.Preview(columns, lines, about);
    }

    /** Where the form sends the columns, which it names one after the other. */
    private static Map<String, String> targets(Context ctx) {
        var columns = ctx.formParams("column");
        var chosen = ctx.formParams("to");
        var targets = new HashMap<String, String>();
        for (int i = 0; i < Math.min(columns.size(), chosen.size()); i++) {
            targets.put(columns.get(i), chosen.get(i));
        }
        return targets;
    }

    private static ProjectId id(Access access) {
        return access.project().id();
    }

    private static ImportId id(Context ctx) {
        return ImportId.parse(ctx.pathParam("import"));
    }
}
