package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaRoles;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The admin page of the roles that users have in sagas. */
final class SagaRolePages implements Routes {

    static final String PATH = "/admin/saga-roles";

    private final Shell shell;
    private final SagaRoles roles;
    private final KeysetList<SagaRoles.Grant, UserId> list;

    SagaRolePages(Shell shell, SagaRoles roles, Cursors cursors) {
        this.shell = shell;
        this.roles = roles;
        list = new KeysetList<>(
                cursors,
                "pages.saga-roles",
                50,
                100,
                cursor -> UserId.parse(cursor.text(0)),
                last -> Cursor.of(last.user().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, Form.EMPTY));
        routes.post(PATH, this::grant);
        routes.post(PATH + "/{userId}/revoke", this::revoke);
    }

    private void grant(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var form = Form.of(ctx, "user", "role");
        try {
            var role = form.value("role").equals("operator") ? SagaRole.OPERATOR : SagaRole.AUDITOR;
            roles.grant(caller, roles.user(form.value("user")), role);
            shell.seeOther(ctx, PATH, Text.of("saga.roles.granted-notice"));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, PATH);
            show(ctx, form.refused(refusal));
        }
    }

    private void revoke(Context ctx) {
        roles.revoke(Caller.of(ctx), UserId.parse(ctx.pathParam("userId")));
        shell.seeOther(ctx, PATH, Text.of("saga.roles.revoked-notice"));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var page = list.page(ctx, (after, limit) -> roles.list(caller, after, limit));
        var next = page.next();
        shell.page(
                ctx,
                Text.of("saga.roles.title"),
                "saga/roles",
                Map.of("form", form, "grants", page.items(), "more", next == null ? "" : PATH + "?after=" + next));
    }
}
