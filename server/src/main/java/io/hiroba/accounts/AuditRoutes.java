package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.AuditEntry;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The API of the audit log, for admins. */
final class AuditRoutes implements Routes {

    private final AuditLog audit;
    private final KeysetList<AuditEntry, Long> list;

    AuditRoutes(AuditLog audit, Cursors cursors) {
        this.audit = audit;
        this.list = new KeysetList<>(
                cursors, "audit", 50, 200, cursor -> cursor.number(0), entry -> Cursor.of(Long.toString(entry.id())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/audit", this::list);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, (before, limit) -> audit.list(caller, before, limit))
                .map(EntryView::of));
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
