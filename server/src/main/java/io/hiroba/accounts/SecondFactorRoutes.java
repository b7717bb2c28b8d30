package io.hiroba.accounts;

import io.hiroba.accounts.SecondFactors.Factor;
import io.hiroba.accounts.SecondFactors.FactorId;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of second factors; they are added on pages. */
final class SecondFactorRoutes implements Routes {

    private final SecondFactors factors;

    SecondFactorRoutes(SecondFactors factors) {
        this.factors = factors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/second-factors", this::list);
        routes.delete("/api/v1/second-factors/{id}", this::remove);
        routes.delete("/api/v1/users/{id}/second-factors", this::reset);
    }

    private record ListView(List<FactorView> items, int recoveryCodes) {}

    private record FactorView(
            String id,
            String kind,
            String name,
            Instant createdAt,
            @Nullable Instant lastUsedAt) {

        static FactorView of(Factor factor) {
            return new FactorView(
                    factor.id().hex(),
                    factor.kind().name().toLowerCase(Locale.ROOT),
                    factor.name(),
                    factor.id().createdAt(),
                    factor.lastUsedAt());
        }
    }

    private void list(Context ctx) {
        var overview = factors.list(Caller.of(ctx));
        ctx.json(new ListView(overview.factors().stream().map(FactorView::of).toList(), overview.recoveryCodes()));
    }

    private record ConfirmationBody(@Nullable String password) {}

    /** The caller's password in the body of a request that may have none; empty if it was not given. */
    static String password(Context ctx) {
        return ctx.bodyAsBytes().length == 0
                ? ""
                : Optional.ofNullable(Body.json(ctx, ConfirmationBody.class).password())
                        .orElse("");
    }

    private void remove(Context ctx) {
        factors.remove(Caller.of(ctx), FactorId.parse(ctx.pathParam("id")), password(ctx));
        ctx.status(204);
    }

    private void reset(Context ctx) {
        factors.reset(Caller.of(ctx), UserId.parse(ctx.pathParam("id")), password(ctx));
        ctx.status(204);
    }
}
