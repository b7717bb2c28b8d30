package io.hiroba.accounts;

import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The audit log over HTTP, for admins. */
public final class AuditRoutes implements Routes {

    private static final String LIST = "audit";

    private final AuditLog audit;
    private final Cursors cursors;

    public AuditRoutes(AuditLog audit, Cursors cursors) {
        this.audit = audit;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/audit", this::list);
    }

    private void list(Context ctx) {
        var request = PageRequest.of(ctx, 50, 200);
        var before = cursors.read(LIST, request).map(cursor -> cursor.number(0));
        var found = audit.list(Caller.of(ctx), before, request.limit() + 1);
        ctx.json(Page.of(found, request.limit(), this::cursor).map(EntryView::of));
    }

    private String cursor(AuditEntry last) {
        return cursors.write(LIST, Cursor.of(Long.toString(last.id())));
    }

    private record EntryView(
            String id,
            Instant at,
            @Nullable String actorId,
            String action,
            @Nullable String subjectId,
            @Nullable String detail) {

        static EntryView of(AuditEntry entry) {
            return new EntryView(
                    Ids.hex(entry.id()),
                    entry.at(),
                    hex(entry.actor()),
                    entry.action().code(),
                    hex(entry.subject()),
                    entry.detail());
        }

        private static @Nullable String hex(@Nullable UserId id) {
            return id == null ? null : id.hex();
        }
    }
}
