package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Locale;

/** The API of the roles that users have in sagas. */
final class SagaRoleRoutes implements Routes {

    private static final String PATH = "/api/v1/saga-roles";

    private final SagaRoles roles;
    private final KeysetList<SagaRoles.Grant, UserId> list;

    SagaRoleRoutes(SagaRoles roles, Cursors cursors) {
        this.roles = roles;
        list = new KeysetList<>(
                cursors,
                "saga-roles",
                50,
                100,
                cursor -> UserId.parse(cursor.text(0)),
                last -> Cursor.of(last.user().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.put(PATH + "/{userId}", this::grant);
        routes.delete(PATH + "/{userId}", this::revoke);
    }

    private record GrantView(String userId, String nickname, String role, Instant grantedAt) {

        static GrantView of(SagaRoles.Grant grant) {
            return new GrantView(
                    grant.user().hex(),
                    grant.nickname(),
                    grant.role().name().toLowerCase(Locale.ROOT),
                    grant.grantedAt());
        }
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, (after, limit) -> roles.list(caller, after, limit))
                .map(GrantView::of));
    }

    private record GrantBody(String role) {

        SagaRole value() {
            return switch (role) {
                case "auditor" -> SagaRole.AUDITOR;
                case "operator" -> SagaRole.OPERATOR;
                default -> throw SagaProblem.invalid("role", Text.of("saga.field.role"));
            };
        }
    }

    private void grant(Context ctx) {
        roles.grant(Caller.of(ctx), user(ctx), Body.json(ctx, GrantBody.class).value());
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
