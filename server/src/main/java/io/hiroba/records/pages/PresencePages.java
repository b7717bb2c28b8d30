package io.hiroba.records.pages;

import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.RowId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** Open grids tell at which cell their reader is. */
final class PresencePages implements Routes {

    private final PageContext context;
    private final RecordPagesModule.Presence presence;

    PresencePages(PageContext context, RecordPagesModule.Presence presence) {
        this.context = context;
        this.presence = presence;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(RecordPaths.SCHEMA + "/presence", this::tell);
    }

    /** @param session drawn by the open page */
    private record Cursor(
            String session, @Nullable String row, @Nullable String attribute) {}

    private void tell(Context ctx) {
        var access = context.project(ctx);
        var recordAccess = context.schema(ctx, access);
        var cursor = Body.json(ctx, Cursor.class);
        var attribute = cursor.attribute() == null
                ? null
                : recordAccess.attribute(cursor.attribute()).orElse(null);
        presence.tell(
                access,
                recordAccess.schema().name(),
                cursor.session(),
                cursor.row() == null ? null : RowId.parse(cursor.row()),
                attribute == null ? null : attribute.name());
        ctx.status(204);
    }
}
