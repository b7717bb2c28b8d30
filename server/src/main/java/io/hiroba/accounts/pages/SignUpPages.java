package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.ClientInfo;
import io.hiroba.accounts.CodeId;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Invitations;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.OidcLogIns;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.SessionCookie;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.SignUp;
import io.hiroba.accounts.SignUp.Preferences;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.BrowserSettings;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/** The sign-up pages: first the address, then the mailed code with a nickname and a password. */
final class SignUpPages implements Routes {

    private static final Text TITLE = Text.of("accounts.signup");

    private final Shell shell;
    private final SignUp signUp;
    private final Invitations invitations;
    private final OidcLogIns oidc;
    private final Sessions sessions;
    private final SessionCookie cookie;
    private final ClientAddress addresses;
    private final int minPassword;

    SignUpPages(Shell shell, AccountsModule accounts, ClientAddress addresses) {
        this.shell = shell;
        this.signUp = accounts.signUp();
        this.invitations = accounts.invitations();
        this.oidc = accounts.oidc();
        this.sessions = accounts.sessions();
        this.cookie = accounts.sessionCookie();
        this.addresses = addresses;
        this.minPassword = accounts.credentials().minLength();
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/signup", this::form);
        routes.post("/signup", this::start);
        routes.get("/signup/verify", this::code);
        routes.post("/signup/verify", this::verify);
        routes.post("/signup/accept", this::accept);
    }

    private void form(Context ctx) {
        var secret = ctx.queryParam("invitation");
        if (secret == null) {
            show(ctx, Form.EMPTY);
            return;
        }
        try {
            var email = invitations.requireOpen(secret).email();
            var form = Form.filled(Map.of("invitation", secret));
            if (email == null) {
                show(ctx, form);
            } else {
                shell.page(ctx, TITLE, "accounts/signup-invited", invited(form, email.value()));
            }
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, Form.EMPTY.refused(refusal));
        }
    }

    private Map<String, Object> invited(Form form, String email) {
        return Map.of(
                "form", form,
                "email", email,
                "providers", oidc.providers(),
                "minPassword", minPassword,
                "noticeUrl", signUp.noticeUrl());
    }

    /** Creates the account of somebody who was invited by mail. */
    private void accept(Context ctx) {
        var form = Form.of(ctx, "invitation", "nickname", "password", "consent");
        var secret = form.value("invitation");
        try {
            var invited = invitations.requireOpen(secret).email();
            if (invited == null) {
                // A link, which is good for any address: that is asked for first.
                shell.seeOther(ctx, Invitations.path(secret));
                return;
            }
            var email = invited.value();
            try {
                var nickname = Nickname.parse(form.value("nickname"));
                var password = new Password(form.value("password"));
                welcome(ctx, signUp.accept(secret, nickname, password, preferences(ctx)), nickname);
            } catch (Problem refusal) {
                shell.refused(ctx, refusal, Invitations.path(secret));
                var refused = form.refused(refusal).without("password");
                shell.page(ctx, TITLE, "accounts/signup-invited", invited(refused, email));
            }
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, Form.EMPTY.refused(refusal));
        }
    }

    private void welcome(Context ctx, UserId user, Nickname nickname) {
        cookie.set(ctx, sessions.begin(ClientInfo.of(ctx, addresses), user));
        cookie.rememberDevice(ctx, user);
        shell.seeOther(ctx, "/", Text.of("accounts.signup-welcome", "nickname", nickname));
    }

    private void start(Context ctx) {
        var form = Form.of(ctx, "email", "invitation");
        try {
            var id = signUp.start(
                    ClientInfo.of(ctx, addresses),
                    Email.parse(form.value("email")),
                    Optional.of(form.value("invitation")).filter(secret -> !secret.isEmpty()));
            shell.seeOther(ctx, "/signup/verify?id=" + id);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal));
        }
    }

    private void code(Context ctx) {
        var id = ctx.queryParam("id");
        if (id == null) {
            shell.seeOther(ctx, "/signup");
            return;
        }
        show(ctx, CodeId.parse(id), Form.EMPTY);
    }

    private void verify(Context ctx) {
        var form = Form.of(ctx, "code", "nickname", "password", "consent");
        var id = CodeId.parse(String.valueOf(ctx.queryParam("id")));
        try {
            // Read first, so that a bad name does not cost an attempt at the code.
            var nickname = Nickname.parse(form.value("nickname"));
            var password = new Password(form.value("password"));
            var user = signUp.verify(id, form.value("code"), nickname, password, preferences(ctx));
            welcome(ctx, user, nickname);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, id, form.refused(refusal));
        }
    }

    static Preferences preferences(Context ctx) {
        return new Preferences(
                BrowserSettings.language(ctx),
                BrowserSettings.zone(ctx).orElse(null),
                "true".equals(ctx.formParam("consent")));
    }

    private void show(Context ctx, Form form) {
        var rules = signUp.rules();
        shell.page(
                ctx,
                TITLE,
                "accounts/signup",
                Map.of(
                        "form",
                        form,
                        "mode",
                        rules.mode().code(),
                        "domains",
                        String.join(", ", rules.domains()),
                        "providers",
                        oidc.providers()));
    }

    private void show(Context ctx, CodeId id, Form form) {
        shell.page(
                ctx,
                TITLE,
                "accounts/signup-verify",
                Map.of(
                        "form", form.without("password"),
                        "id", id.toString(),
                        "minutes", signUp.codeMinutes(),
                        "noticeUrl", signUp.noticeUrl(),
                        "minPassword", minPassword));
    }
}
