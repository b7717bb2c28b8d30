package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.fanout.Namespace;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of namespaces and their members. */
final class NamespaceRoutes implements Routes {

    private static final String LIST = "inbox-namespaces";
    private static final String MEMBER = "/api/v1/inbox/namespaces/{id}/members/{user}";
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 100;
    private static final int DEVELOPER = 30;

    private final NamespaceDirectory namespaces;
    private final ApiTimes times;
    private final KeysetList<Namespace, NamespaceDirectory.Position> list;

    NamespaceRoutes(NamespaceDirectory namespaces, ApiTimes times, Cursors cursors) {
        this.namespaces = namespaces;
        this.times = times;
        list = new KeysetList<>(
                cursors,
                LIST,
                DEFAULT_LIMIT,
                MAX_LIMIT,
                cursor -> new NamespaceDirectory.Position(cursor.text(0), new NamespaceId(cursor.number(1))),
                last -> Cursor.of(last.path(), Long.toString(last.id().value())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/inbox/namespaces", this::list);
        routes.put(MEMBER, this::join);
        routes.delete(MEMBER, this::leave);
    }

    private record View(String id, String connection, String path, String name) {

        static View of(Namespace namespace) {
            return new View(namespace.id().hex(), namespace.connection().hex(), namespace.path(), namespace.name());
        }
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var prefix = Optional.ofNullable(ctx.queryParam("prefix")).orElse("");
        ctx.json(list.page(ctx, (after, limit) -> namespaces.list(caller, prefix, after, limit))
                .map(View::of));
    }

    private record Membership(
            @Nullable Integer access, @Nullable Instant at) {}

    private void join(Context ctx) {
        var caller = Caller.of(ctx);
        var request = ctx.body().isEmpty() ? new Membership(null, null) : Body.json(ctx, Membership.class);
        int access = request.access() == null ? DEVELOPER : request.access();
        namespaces.join(caller, id(ctx), ctx.pathParam("user"), access, times.past("at", request.at()));
        ctx.status(204);
    }

    private void leave(Context ctx) {
        namespaces.leave(Caller.of(ctx), id(ctx), ctx.pathParam("user"), times.past("at", null));
        ctx.status(204);
    }

    private static NamespaceId id(Context ctx) {
        return NamespaceId.parse(ctx.pathParam("id"));
    }
}
