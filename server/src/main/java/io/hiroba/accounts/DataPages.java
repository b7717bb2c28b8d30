package io.hiroba.accounts;

import io.hiroba.accounts.DataExport.PartProgress;
import io.hiroba.accounts.DataExportModule.ExportItem;
import io.hiroba.accounts.DataExportModule.PartItem;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings page on which people get their own data, and from which they get to the deletion of their account. */
final class DataPages implements Routes {

    static final String PATH = "/settings/data";

    private static final int MAX_SHOWN = 20;

    private final Shell shell;
    private final Readers readers;
    private final Sessions sessions;
    private final DataExports exports;

    DataPages(Shell shell, Readers readers, Sessions sessions, DataExports exports) {
        this.shell = shell;
        this.readers = readers;
        this.sessions = sessions;
        this.exports = exports;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, Form.EMPTY));
        routes.post(PATH, this::start);
        routes.get(PATH + "/exports", this::refresh);
        routes.get(PATH + "/exports/{id}", this::download);
        routes.post(PATH + "/exports/{id}/delete", this::delete);
    }

    private void start(Context ctx) {
        var form = Form.of(ctx, "password");
        try {
            exports.start(Caller.of(ctx), form.value("password"));
            shell.seeOther(ctx, PATH, Text.of("accounts.export-started"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal, PATH);
            show(ctx, form.refused(refusal));
        }
    }

    /** The list alone, while an export is running. */
    private void refresh(Context ctx) {
        shell.fragment(ctx, "accounts/exports", Map.of("exports", items(ctx)));
    }

    private void download(Context ctx) {
        var caller = Caller.of(ctx);
        if (!caller.acting() && !sessions.isConfirmed(caller)) {
            shell.seeOther(ctx, "/settings/confirm?next=" + PATH);
            return;
        }
        DataExportRoutes.send(ctx, exports);
    }

    private void delete(Context ctx) {
        exports.delete(Caller.of(ctx), DataExport.Id.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, PATH, Text.of("accounts.export-deleted"));
    }

    private void show(Context ctx, Form form) {
        shell.page(
                ctx,
                Text.of("accounts.data"),
                "accounts/settings-data",
                Map.of(
                        "form",
                        form.without("password"),
                        "exports",
                        items(ctx),
                        "isConfirmed",
                        sessions.isConfirmed(Caller.of(ctx))));
    }

    private List<ExportItem> items(Context ctx) {
        var reader = readers.reader(ctx);
        return exports.list(Caller.of(ctx), Optional.empty(), MAX_SHOWN).stream()
                .map(export -> item(export, reader))
                .toList();
    }

    private ExportItem item(DataExport export, Reader reader) {
        var parts = export.parts().stream().map(part -> part(part, reader)).toList();
        long done = export.parts().stream().filter(PartProgress::done).count();
        return new ExportItem(
                export.id().hex(),
                ExportItem.State.valueOf(export.state().name()),
                facts(export, reader),
                (int) (100 * done / Math.max(1, parts.size())),
                parts);
    }

    private static String facts(DataExport export, Reader reader) {
        var started = reader.dateTime(export.createdAt());
        var size = export.size();
        var expires = export.expiresAt();
        return size == null || expires == null
                ? reader.text("accounts.export-since", "time", started)
                : reader.text(
                        "accounts.export-facts", "time", started, "size", size(size), "until", reader.date(expires));
    }

    private static Text size(long bytes) {
        return bytes < 1 << 20
                ? Text.of("accounts.export-kilobytes", "count", (bytes + 1023) >> 10)
                : Text.of("accounts.export-megabytes", "count", bytes >> 20);
    }

    /** A part of a version that has it no more is shown by its name. */
    private PartItem part(PartProgress progress, Reader reader) {
        var label = exports.parts().stream()
                .filter(part -> part.name().equals(progress.name()))
                .findFirst()
                .map(part -> reader.text(part.label()))
                .orElse(progress.name());
        return new PartItem(label, reader.number(progress.items()), progress.done());
    }
}
