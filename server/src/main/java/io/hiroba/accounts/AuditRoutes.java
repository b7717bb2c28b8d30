package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Person;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.http.StreamedBody;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.BufferedOutputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The API of the audit log, for admins. */
final class AuditRoutes implements Routes {

    private static final int EXPORT_PAGE = 500;

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
        routes.get("/api/v1/audit/export", this::export);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var filter = filter(ctx);
        ctx.json(list.page(ctx, (before, limit) -> audit.list(caller, filter, before, limit))
                .map(EntryView::of));
    }

    private static AuditFilter filter(Context ctx) {
        var params = QueryParams.of(ctx);
        var values = new HashMap<String, String>();
        for (var name : AuditFilter.NAMES) {
            var value = params.text(name);
            if (value != null) {
                values.put(name, value);
            }
        }
        return AuditFilter.of(values);
    }

    /** A line an entry, written as they are read. */
    private void export(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var filter = filter(ctx);
        long before = audit.beginExport(caller, filter);
        ctx.contentType("application/x-ndjson")
                .header("Cache-Control", "no-store")
                .header("Content-Disposition", "attachment; filename=\"audit.jsonl\"");
        StreamedBody.write(ctx, stream -> {
            var out = new BufferedOutputStream(stream, 1 << 15);
            for (var page = audit.list(caller, filter, Optional.of(before), EXPORT_PAGE); !page.isEmpty(); ) {
                for (var entry : page) {
                    out.write(Json.bytes(EntryView.of(entry)));
                    out.write('\n');
                }
                page = audit.list(caller, filter, Optional.of(page.getLast().id()), EXPORT_PAGE);
            }
            out.flush();
        });
    }

    private record EntryView(
            String id,
            Instant at,
            String action,
            @Nullable String actorId,
            @Nullable String actorNickname,
            @Nullable String actingAsId,
            @Nullable String actingAsNickname,
            @Nullable String via,
            @Nullable String viaId,
            @Nullable String address,
            @Nullable String agent,
            @Nullable String requestId,
            @Nullable String subjectId,
            @Nullable String subjectNickname,
            @Nullable TargetView target,
            @Nullable JsonNode before,
            @Nullable JsonNode after) {

        static EntryView of(AuditEntry entry) {
            var viaId = entry.viaId();
            return new EntryView(
                    Ids.hex(entry.id()),
                    entry.at(),
                    entry.code(),
                    hex(entry.by()),
                    nickname(entry.by()),
                    hex(entry.as()),
                    nickname(entry.as()),
                    entry.via(),
                    viaId == null ? null : Ids.hex(viaId),
                    entry.address(),
                    entry.agent(),
                    entry.requestId(),
                    hex(entry.about()),
                    nickname(entry.about()),
                    TargetView.of(entry),
                    values(entry.before()),
                    values(entry.after()));
        }

        private static @Nullable String hex(@Nullable Person person) {
            return person == null ? null : person.id().hex();
        }

        private static @Nullable String nickname(@Nullable Person person) {
            return person == null ? null : person.nickname();
        }

        private static @Nullable JsonNode values(@Nullable String json) {
            return json == null ? null : Json.mapper().readTree(json);
        }
    }

    private record TargetView(
            @Nullable String kind,
            @Nullable String id,
            @Nullable String name) {

        static @Nullable TargetView of(AuditEntry entry) {
            return entry.kind() == null && entry.targetId() == null && entry.detail() == null
                    ? null
                    : new TargetView(entry.kind(), entry.targetId(), entry.detail());
        }
    }
}
