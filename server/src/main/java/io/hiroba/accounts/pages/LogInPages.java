package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.ClientInfo;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.LogInSteps;
import io.hiroba.accounts.OidcLogIns;
import io.hiroba.accounts.Passkeys;
import io.hiroba.accounts.Passkeys.PasskeyAnswer;
import io.hiroba.accounts.SessionCookie;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.Sessions.StartedSession;
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
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/** The pages to log in, by password and second factor or by passkey, and out. */
final class LogInPages implements Routes {

    private final Shell shell;
    private final Sessions sessions;
    private final SignUp signUp;
    private final OidcLogIns oidc;
    private final SessionCookie cookie;
    private final ClientAddress addresses;

    private final LogInSteps steps;
    private final Passkeys passkeys;

    LogInPages(Shell shell, AccountsModule accounts, ClientAddress addresses) {
        this.shell = shell;
        this.steps = accounts.logInSteps();
        this.passkeys = accounts.passkeys();
        this.sessions = accounts.sessions();
        this.signUp = accounts.signUp();
        this.oidc = accounts.oidc();
        this.cookie = accounts.sessionCookie();
        this.addresses = addresses;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/login", this::form);
        routes.post("/login", this::logIn);
        routes.post("/login/passkey/challenge", ctx -> ctx.json(passkeys.startLogIn(origin(ctx))));
        routes.post("/login/passkey", this::logInWithPasskey);
        routes.get("/login/second-factor", this::secondFactor);
        routes.post("/login/second-factor", this::complete);
        routes.post(
                "/login/second-factor/challenge",
                ctx -> ctx.json(steps.startPasskey(origin(ctx), SessionCookie.pending(ctx))));
        routes.post("/login/second-factor/passkey", this::completeWithPasskey);
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
            var first = steps.start(client, Email.parse(form.value("email")), form.value("password"));
            if (first.session().isEmpty()) {
                cookie.setPending(ctx, first.pending());
                shell.seeOther(ctx, "/login/second-factor?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
                return;
            }
            enter(ctx, client, first.session().get(), next);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal), next);
        }
    }

    private void enter(Context ctx, ClientInfo client, StartedSession session, String next) {
        cookie.set(ctx, session);
        cookie.rememberDevice(ctx, session.user(), client, Device.name(client.agent()));
        shell.seeOther(ctx, next);
    }

    private void logInWithPasskey(Context ctx) {
        var next = LocalPath.orElse(ctx.formParam("next"), "/");
        try {
            var client = ClientInfo.of(ctx, addresses);
            enter(ctx, client, steps.logIn(origin(ctx), client, answer(ctx)), next);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal, "/login");
            show(ctx, Form.EMPTY.refused(refusal), next);
        }
    }

    /** Reads the answer that a script has filled into the form of a passkey. */
    static PasskeyAnswer answer(Context ctx) {
        var form = Form.of(ctx, "challenge", "credential");
        return new PasskeyAnswer(form.value("challenge"), form.value("credential"));
    }

    /** The address at which the browser has the page. */
    static String origin(Context ctx) {
        return ctx.scheme() + "://" + ctx.host();
    }

    private void secondFactor(Context ctx) {
        showSecond(ctx, Form.EMPTY, LocalPath.orElse(ctx.queryParam("next"), "/"));
    }

    private void complete(Context ctx) {
        var form = Form.of(ctx, "code");
        var client = ClientInfo.of(ctx, addresses);
        complete(ctx, client, form, () -> steps.complete(client, SessionCookie.pending(ctx), form.value("code")));
    }

    private void completeWithPasskey(Context ctx) {
        var client = ClientInfo.of(ctx, addresses);
        complete(
                ctx,
                client,
                Form.EMPTY,
                () -> steps.complete(origin(ctx), client, SessionCookie.pending(ctx), answer(ctx)));
    }

    private void complete(Context ctx, ClientInfo client, Form form, Supplier<StartedSession> step) {
        var next = LocalPath.orElse(ctx.formParam("next"), "/");
        try {
            var session = step.get();
            cookie.setPending(ctx, "");
            enter(ctx, client, session, next);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal, "/login/second-factor");
            showSecond(ctx, form.without("code").refused(refusal), next);
        }
    }

    /** Leads back to the first step once the log-in is not pending any more. */
    private void showSecond(Context ctx, Form form, String next) {
        var accepted = steps.accepted(SessionCookie.pending(ctx));
        if (accepted.isEmpty()) {
            cookie.setPending(ctx, "");
            shell.seeOther(ctx, "/login", Text.of("accounts.second-again"));
            return;
        }
        shell.page(
                ctx,
                Text.of("accounts.second-title"),
                "accounts/second-factor",
                Map.of(
                        "form",
                        form,
                        "next",
                        next,
                        "hasApp",
                        accepted.get().app(),
                        "hasPasskey",
                        accepted.get().passkey() && passkeys.isAvailable(origin(ctx))));
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
                        "hasPasskeys",
                        passkeys.isAvailable(origin(ctx)),
                        "signUp",
                        signUp.rules().mode().code(),
                        "providers",
                        oidc.providers()));
    }
}
