package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.ClientInfo;
import io.hiroba.accounts.CodeId;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.PasswordReset;
import io.hiroba.accounts.SessionCookie;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The pages that reset a forgotten password. */
final class PasswordResetPages implements Routes {

    private static final Text TITLE = Text.of("accounts.new-password");

    private final Shell shell;
    private final PasswordReset reset;
    private final SessionCookie cookie;
    private final ClientAddress addresses;
    private final int minPassword;

    PasswordResetPages(Shell shell, AccountsModule accounts, ClientAddress addresses) {
        this.shell = shell;
        this.reset = accounts.passwordReset();
        this.cookie = accounts.sessionCookie();
        this.addresses = addresses;
        this.minPassword = accounts.credentials().minLength();
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(
                "/password-reset",
                ctx -> shell.page(ctx, TITLE, "accounts/password-reset", Map.of("form", Form.EMPTY)));
        routes.post("/password-reset", this::start);
        routes.get("/password-reset/verify", this::code);
        routes.post("/password-reset/verify", this::verify);
    }

    private void start(Context ctx) {
        var form = Form.of(ctx, "email");
        try {
            var id = reset.start(ClientInfo.of(ctx, addresses), Email.parse(form.value("email")));
            shell.seeOther(ctx, "/password-reset/verify?id=" + id);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            shell.page(ctx, TITLE, "accounts/password-reset", Map.of("form", form.refused(refusal)));
        }
    }

    private void code(Context ctx) {
        var id = ctx.queryParam("id");
        if (id == null) {
            shell.seeOther(ctx, "/password-reset");
            return;
        }
        show(ctx, CodeId.parse(id), Form.EMPTY);
    }

    private void verify(Context ctx) {
        var form = Form.of(ctx, "code", "password");
        var id = CodeId.parse(String.valueOf(ctx.queryParam("id")));
        try {
            var password = new Password(form.value("password"));
            var client = ClientInfo.of(ctx, addresses);
            cookie.rememberDevice(ctx, reset.verify(client, id, form.value("code"), password));
            shell.seeOther(ctx, "/login", Text.of("accounts.reset-done"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, id, form.refused(refusal));
        }
    }

    private void show(Context ctx, CodeId id, Form form) {
        shell.page(
                ctx,
                TITLE,
                "accounts/password-reset-verify",
                Map.of(
                        "form", form.without("password"),
                        "id", id.toString(),
                        "minutes", reset.codeMinutes(),
                        "minPassword", minPassword));
    }
}
