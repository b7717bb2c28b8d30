package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.ServiceSecrets;
import io.hiroba.saga.call.ServiceSecrets.SecretList;
import io.hiroba.saga.call.ServiceSecrets.ServiceCredentials;
import io.hiroba.saga.call.ServiceSecrets.SigningKey;
import io.hiroba.saga.call.Services;
import io.hiroba.saga.call.Services.Service;
import io.hiroba.saga.call.Services.ServiceLimits;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The API of the services that steps call. */
final class ServiceRoutes implements Routes {

    private final Services services;
    private final ServiceSecrets secrets;
    private final KeysetList<Service, String> list;

    ServiceRoutes(Services services, ServiceSecrets secrets, Cursors cursors) {
        this.services = services;
        this.secrets = secrets;
        list = new KeysetList<>(
                cursors, "saga-services", 50, 100, cursor -> cursor.text(0), last -> Cursor.of(last.name()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/saga-services", this::list);
        routes.get("/api/v1/saga-services/{name}", this::get);
        routes.put("/api/v1/saga-services/{name}", this::put);
        routes.delete("/api/v1/saga-services/{name}", this::delete);
        routes.put("/api/v1/saga-services/{name}/credentials", this::setCredentials);
        routes.delete("/api/v1/saga-services/{name}/credentials", this::removeCredentials);
        routes.put("/api/v1/saga-services/{name}/limits", this::setLimits);
        routes.post("/api/v1/saga-services/{name}/signing-keys", this::addSigningKey);
        routes.delete("/api/v1/saga-services/{name}/signing-keys/{id}", this::revokeSigningKey);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var page = list.page(ctx, (after, limit) -> services.list(caller, after.orElse(""), limit));
        var kept = secrets.list(page.items());
        var limits = services.limits(caller, page.items());
        ctx.json(page.map(service -> ServiceView.of(service, kept, limits)));
    }

    private void get(Context ctx) {
        show(ctx);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var service = services.get(caller, ctx.pathParam("name"));
        var one = List.of(service);
        ctx.json(ServiceView.of(service, secrets.list(one), services.limits(caller, one)));
    }

    private record ServiceBody(String endpoint, @Nullable Boolean async) {}

    private void put(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var name = ctx.pathParam("name");
        var body = Body.json(ctx, ServiceBody.class);
        if (services.put(caller, name, body.endpoint(), body.async())) {
            ctx.status(201).header("Location", "/api/v1/saga-services/" + name);
        }
        show(ctx);
    }

    private void delete(Context ctx) {
        services.delete(Caller.of(ctx), ctx.pathParam("name"));
        ctx.status(204);
    }

    private record CredentialsBody(
            @Nullable String bearer,
            @Nullable String user,
            @Nullable String password) {}

    private void setCredentials(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var body = Body.json(ctx, CredentialsBody.class);
        var service = ctx.pathParam("name");
        var bearer = body.bearer();
        var user = body.user();
        var password = body.password();
        if (bearer != null && user == null && password == null) {
            secrets.setBearer(caller, service, bearer);
        } else if (bearer == null && user != null && password != null) {
            secrets.setBasic(caller, service, user, password);
        } else {
            throw SagaProblem.invalid("bearer", Text.of("saga.field.credentials"));
        }
        show(ctx);
    }

    private void removeCredentials(Context ctx) {
        secrets.removeCredentials(Caller.of(ctx), ctx.pathParam("name"));
        ctx.status(204);
    }

    private record LimitsBody(
            @Nullable Integer maxConcurrent, @Nullable BigDecimal ratePerSecond) {}

    private void setLimits(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var body = Body.json(ctx, LimitsBody.class);
        services.setLimits(
                caller, ctx.pathParam("name"), new ServiceLimits(body.maxConcurrent(), body.ratePerSecond()));
        show(ctx);
    }

    private record NewKeyView(String id, String secret) {}

    private void addSigningKey(Context ctx) {
        var key = secrets.addSigningKey(Caller.of(ctx), ctx.pathParam("name"));
        ctx.status(201).json(new NewKeyView(key.id(), key.secret()));
    }

    private void revokeSigningKey(Context ctx) {
        secrets.revokeSigningKey(Caller.of(ctx), ctx.pathParam("name"), ctx.pathParam("id"));
        ctx.status(204);
    }

    private record CredentialsView(String kind, String setBy, Instant setAt) {

        static @Nullable CredentialsView of(@Nullable ServiceCredentials set) {
            return set == null ? null : new CredentialsView(set.kind().code(), set.setBy(), set.setAt());
        }
    }

    private record KeyView(String id, String createdBy, Instant createdAt) {

        static KeyView of(SigningKey key) {
            return new KeyView(key.id(), key.createdBy(), key.createdAt());
        }
    }

    private record ServiceView(
            String name,
            String origin,
            @Nullable String endpoint,
            boolean async,
            @Nullable String updatedBy,
            @Nullable Instant updatedAt,
            @Nullable CredentialsView credentials,
            List<KeyView> signingKeys,
            @Nullable Integer maxConcurrent,
            @Nullable BigDecimal ratePerSecond) {

        static ServiceView of(Service service, Map<String, SecretList> kept, Map<String, ServiceLimits> limited) {
            var limits = limited.getOrDefault(service.name(), ServiceLimits.NONE);
            var endpoint = service.endpoint();
            var secrets = kept.getOrDefault(service.name(), SecretList.NONE);
            return new ServiceView(
                    service.name(),
                    service.origin().name().toLowerCase(Locale.ROOT),
                    endpoint == null ? null : endpoint.toString(),
                    service.async(),
                    service.updatedBy(),
                    service.updatedAt(),
                    CredentialsView.of(secrets.credentials()),
                    secrets.signingKeys().stream().map(KeyView::of).toList(),
                    limits.maxConcurrent(),
                    limits.ratePerSecond());
        }
    }
}
