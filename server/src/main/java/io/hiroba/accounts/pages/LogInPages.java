package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.ClientInfo;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.OidcLogIns;
import io.hiroba.accounts.SessionCookie;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.SignUp;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.LocalPath;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The pages to log in and out. */
final class LogInPages implements Routes {

    private final Shell shell;
    private final Sessions sessions;
    private final SignUp signUp;
    private final OidcLogIns oidc;
    private final SessionCookie cookie;
    private final ClientAddress addresses;

    LogInPages(
            Shell shell,
            Sessions sessions,
            SignUp signUp,
            OidcLogIns oidc,
            SessionCookie cookie,
            ClientAddress addresses) {
        this.shell = shell;
        this.sessions = sessions;
        this.signUp = signUp;
        this.oidc = oidc;
        this.cookie = cookie;
        this.addresses = addresses;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/login", this::form);
        routes.post("/login", this::logIn);
        routes.post("/logout", this::logOut);
    }

    private void form(Context ctx) {
        var next = LocalPath.orElse(ctx.queryParam("next"), "/");
        if (Caller.find(ctx).isPresent()) {
            shell.seeOther(ctx, next);
            return;
        }
        show(ctx, Form.EMPTY, next);
    }

    private void logIn(Context ctx) {
        var form = Form.of(ctx, "email", "password");
        var next = LocalPath.orElse(ctx.formParam("next"), "/");
        try {
            var client = ClientInfo.of(ctx, addresses);
            var signedIn = sessions.logIn(client, Email.parse(form.value("email")), form.value("password"));
            cookie.set(ctx, signedIn);
            cookie.rememberDevice(ctx, signedIn.user(), client, Device.name(client.agent()));
            shell.seeOther(ctx, next);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal), next);
        }
    }

    private void logOut(Context ctx) {
        Caller.find(ctx).filter(caller -> caller.session().isPresent()).ifPresent(sessions::logOut);
        cookie.clear(ctx);
        shell.seeOther(ctx, "/", Text.of("accounts.logged-out"));
    }

    private void show(Context ctx, Form form, String next) {
        shell.page(
                ctx,
                Text.of("accounts.log-in"),
                "accounts/login",
                Map.of(
                        "form",
                        form.without("password"),
                        "next",
                        next,
                        "signUp",
                        signUp.rules().mode().code(),
                        "providers",
                        oidc.providers()));
    }
}
