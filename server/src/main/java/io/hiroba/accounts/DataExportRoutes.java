package io.hiroba.accounts;

import io.hiroba.accounts.DataExport.PartProgress;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of exports of one's own data. */
final class DataExportRoutes implements Routes {

    private final DataExports exports;
    private final KeysetList<DataExport, DataExport.Id> list;

    DataExportRoutes(DataExports exports, Cursors cursors) {
        this.exports = exports;
        this.list = new KeysetList<>(
                cursors,
                "exports",
                cursor -> new DataExport.Id(cursor.number(0)),
                export -> Cursor.of(Long.toString(export.id().value())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/exports", this::start);
        routes.get("/api/v1/exports", this::list);
        routes.get("/api/v1/exports/{id}", ctx -> ctx.json(ExportView.of(exports.get(Caller.of(ctx), id(ctx)))));
        routes.delete("/api/v1/exports/{id}", this::delete);
        routes.get("/api/v1/exports/{id}/archive", ctx -> send(ctx, exports));
    }

    private static DataExport.Id id(Context ctx) {
        return DataExport.Id.parse(ctx.pathParam("id"));
    }

    private record StartBody(@Nullable String password) {}

    private void start(Context ctx) {
        var caller = Caller.of(ctx);
        var password = ctx.bodyAsBytes().length == 0
                ? ""
                : Optional.ofNullable(Body.json(ctx, StartBody.class).password())
                        .orElse("");
        var export = exports.start(caller, password);
        ctx.status(201)
                .header("Location", "/api/v1/exports/" + export.id().hex())
                .json(ExportView.of(export));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, (before, limit) -> exports.list(caller, before, limit))
                .map(ExportView::of));
    }

    private void delete(Context ctx) {
        exports.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    /** Sends the archive as a file to keep. */
    static void send(Context ctx, DataExports exports) {
        var id = id(ctx);
        var archive = exports.open(Caller.of(ctx), id);
        ctx.contentType("application/zip");
        ctx.header("Cache-Control", "no-store");
        ctx.header("Content-Disposition", "attachment; filename=\"hiroba-%s.zip\"".formatted(id.hex()));
        ctx.res().setContentLengthLong(archive.length());
        ctx.result(archive.content());
    }

    private record ExportView(
            String id,
            String state,
            List<PartProgress> parts,
            @Nullable Long size,
            Instant createdAt,
            @Nullable Instant expiresAt) {

        static ExportView of(DataExport export) {
            return new ExportView(
                    export.id().hex(),
                    export.state().code(),
                    export.parts(),
                    export.size(),
                    export.createdAt(),
                    export.expiresAt());
        }
    }
}
