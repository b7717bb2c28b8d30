package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Locale;

/** Who may look at sagas and act on them, over HTTP. */
public final class RoleRoutes implements Routes {

    private static final String PATH = "/api/v1/saga-roles";

    private final Roles roles;

    public RoleRoutes(Roles roles) {
        this.roles = roles;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.put(PATH + "/{userId}", this::grant);
        routes.delete(PATH + "/{userId}", this::revoke);
    }

    private record GrantView(String userId, String nickname, String role, Instant grantedAt) {

        static GrantView of(Roles.Grant grant) {
            return new GrantView(
                    grant.user().hex(),
                    grant.nickname(),
                    grant.role().name().toLowerCase(Locale.ROOT),
                    grant.grantedAt());
        }
    }

    private void list(Context ctx) {
        var grants = roles.list(Caller.of(ctx));
        ctx.json(new Page<>(grants.stream().map(GrantView::of).toList(), null));
    }

    private record Granted(String role) {

        Role asked() {
            return switch (role) {
                case "auditor" -> Role.AUDITOR;
                case "operator" -> Role.OPERATOR;
                default -> throw SagaProblem.invalid("role", "must be auditor or operator");
            };
        }
    }

    private void grant(Context ctx) {
        roles.grant(Caller.of(ctx), user(ctx), Body.json(ctx, Granted.class).asked());
        ctx.status(204);
    }

    private void revoke(Context ctx) {
        roles.revoke(Caller.of(ctx), user(ctx));
        ctx.status(204);
    }

    private static UserId user(Context ctx) {
        return UserId.parse(ctx.pathParam("userId"));
    }
}
