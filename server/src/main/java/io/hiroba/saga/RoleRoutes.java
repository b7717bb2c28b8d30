package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
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

/** Who may look at sagas and act on them, over HTTP. */
public final class RoleRoutes implements Routes {

    private static final String PATH = "/api/v1/saga-roles";

    private static final String LIST = "saga-roles";
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 100;

    private final Roles roles;
    private final Cursors cursors;

    public RoleRoutes(Roles roles, Cursors cursors) {
        this.roles = roles;
        this.cursors = cursors;
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
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var after = cursors.read(LIST, request).map(cursor -> UserId.parse(cursor.text(0)));
        var grants = roles.list(Caller.of(ctx), after, request.limit() + 1);
        ctx.json(Page.of(
                        grants,
                        request.limit(),
                        last -> cursors.write(LIST, Cursor.of(last.user().hex())))
                .map(GrantView::of));
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
