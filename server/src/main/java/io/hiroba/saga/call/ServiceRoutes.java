package io.hiroba.saga.call;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The services that steps may call, over HTTP. */
public final class ServiceRoutes implements Routes {

    private static final String LIST = "saga-services";
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 100;

    private final Services services;
    private final Cursors cursors;

    public ServiceRoutes(Services services, Cursors cursors) {
        this.services = services;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/saga-services", this::list);
        routes.get("/api/v1/saga-services/{name}", this::get);
        routes.put("/api/v1/saga-services/{name}", this::put);
        routes.delete("/api/v1/saga-services/{name}", this::delete);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var after = cursors.read(LIST, request).map(cursor -> cursor.text(0)).orElse("");
        var found = services.list(caller, after, request.limit() + 1);
        ctx.json(Page.of(found, request.limit(), last -> cursors.write(LIST, Cursor.of(last.name())))
                .map(ServiceView::of));
    }

    private void get(Context ctx) {
        ctx.json(ServiceView.of(services.get(Caller.of(ctx), ctx.pathParam("name"))));
    }

    private record ServiceBody(String endpoint) {}

    private void put(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var name = ctx.pathParam("name");
        if (services.put(caller, name, Body.json(ctx, ServiceBody.class).endpoint())) {
            ctx.status(201).header("Location", "/api/v1/saga-services/" + name);
        }
        ctx.json(ServiceView.of(services.get(caller, name)));
    }

    private void delete(Context ctx) {
        services.delete(Caller.of(ctx), ctx.pathParam("name"));
        ctx.status(204);
    }

    private record ServiceView(
            String name,
            String origin,
            @Nullable String endpoint,
            @Nullable String updatedBy,
            @Nullable Instant updatedAt) {

        static ServiceView of(Service service) {
            var endpoint = service.endpoint();
            return new ServiceView(
                    service.name(),
                    service.origin().name().toLowerCase(Locale.ROOT),
                    endpoint == null ? null : endpoint.toString(),
                    service.updatedBy(),
                    service.updatedAt());
        }
    }
}
