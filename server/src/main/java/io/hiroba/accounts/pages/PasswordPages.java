package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.PasswordChange;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/** The settings page that changes the password. */
final class PasswordPages implements Routes {

    private final Shell shell;
    private final PasswordChange change;

    PasswordPages(Shell shell, PasswordChange change) {
        this.shell = shell;
        this.change = change;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings/password", this::form);
        routes.post("/settings/password", this::save);
    }

    private void form(Context ctx) {
        Caller.of(ctx);
        show(ctx, Form.EMPTY);
    }

    private void save(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "currentPassword", "password");
        try {
            var next = new Password(form.value("password"));
            change.change(caller, caller.user(), Optional.of(form.value("currentPassword")), next);
            shell.seeOther(ctx, "/settings/password", Text.of("accounts.password-changed"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal));
        }
    }

    private void show(Context ctx, Form form) {
        shell.page(
                ctx,
                Text.of("accounts.password"),
                "accounts/settings-password",
                Map.of("form", form.without("currentPassword", "password")));
    }
}
