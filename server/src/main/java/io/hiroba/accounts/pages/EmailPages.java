package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.ClientInfo;
import io.hiroba.accounts.CodeId;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.EmailChange;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The settings pages that change the e-mail address. */
final class EmailPages implements Routes {

    private final Shell shell;
    private final Users users;
    private final EmailChange change;
    private final Sessions sessions;
    private final ClientAddress addresses;

    EmailPages(Shell shell, Users users, EmailChange change, Sessions sessions, ClientAddress addresses) {
        this.shell = shell;
        this.users = users;
        this.change = change;
        this.sessions = sessions;
        this.addresses = addresses;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings/email", ctx -> show(ctx, "", Form.EMPTY));
        routes.post("/settings/email", this::start);
        routes.get("/settings/email/verify", this::code);
        routes.post("/settings/email/verify", this::verify);
    }

    private void start(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "email", "password");
        try {
            var email = Email.parse(form.value("email"));
            var client = ClientInfo.of(ctx, addresses);
            var id = change.start(client, caller, caller.user(), email, form.value("password"));
            shell.seeOther(ctx, "/settings/email/verify?id=" + id);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, "", form.refused(refusal));
        }
    }

    private void code(Context ctx) {
        var id = ctx.queryParam("id");
        if (id == null) {
            shell.seeOther(ctx, "/settings/email");
            return;
        }
        show(ctx, CodeId.parse(id).toString(), Form.EMPTY);
    }

    private void verify(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "code");
        var id = CodeId.parse(String.valueOf(ctx.queryParam("id")));
        try {
            change.verify(caller, caller.user(), id, form.value("code"));
            shell.seeOther(ctx, "/settings/email", Text.of("accounts.email-changed"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, id.toString(), form.refused(refusal));
        }
    }

    private void show(Context ctx, String id, Form form) {
        var caller = Caller.of(ctx);
        var email = users.profile(caller.user()).user().email().value();
        shell.page(
                ctx,
                Text.of("accounts.email"),
                "accounts/settings-email",
                Map.of(
                        "form",
                        form.without("password"),
                        "id",
                        id,
                        "email",
                        email,
                        "isConfirmed",
                        sessions.isConfirmed(caller),
                        "minutes",
                        change.codeMinutes()));
    }
}
