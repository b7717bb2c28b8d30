package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.saga.call.Service;
import io.hiroba.saga.call.Services;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The API of the services that steps call. */
final class ServiceRoutes implements Routes {

    private final Services services;
    private final KeysetList<Service, String> list;

    ServiceRoutes(Services services, Cursors cursors) {
        this.services = services;
        list = new KeysetList<>(
                cursors, "saga-services", 50, 100, cursor -> cursor.text(0), last -> Cursor.of(last.name()));
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
        ctx.json(list.page(ctx, (after, limit) -> services.list(caller, after.orElse(""), limit))
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
