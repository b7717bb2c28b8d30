package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.ClientInfo;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.OidcLogIns;
import io.hiroba.accounts.SessionCookie;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.Users;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.LocalPath;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.HttpStatus;
import io.javalin.http.SameSite;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The pages to sign in with an OpenID Connect provider, and to link an identity or create an account for it. */
final class OidcPages implements Routes {

    private static final String ATTEMPT = "hiroba_oidc";
    private static final String WAITING = "hiroba_identity";
    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final Text SIGN_UP = Text.of("accounts.signup");
    private static final Text LINK = Text.of("accounts.identity-link");

    private final Shell shell;
    private final OidcLogIns oidc;
    private final Users users;
    private final Sessions sessions;
    private final SessionCookie cookie;
    private final HttpConfig http;
    private final ClientAddress addresses;
    private final String noticeUrl;

    OidcPages(Shell shell, AccountsModule accounts, Platform platform) {
        this.noticeUrl = accounts.signUp().noticeUrl();
        this.shell = shell;
        this.oidc = accounts.oidc();
        this.users = accounts.users();
        this.sessions = accounts.sessions();
        this.cookie = accounts.sessionCookie();
        this.http = platform.http();
        this.addresses = platform.addresses();
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/login/oidc/{provider}", this::start);
        routes.get("/login/oidc/{provider}/callback", this::finish);
        routes.get(OidcLogIns.LINK, ctx -> showLink(ctx, Form.EMPTY));
        routes.post(OidcLogIns.LINK, this::link);
        routes.get(OidcLogIns.SIGN_UP, ctx -> showSignUp(ctx, Optional.empty()));
        routes.post(OidcLogIns.SIGN_UP, this::signUp);
    }

    private void start(Context ctx) {
        try {
            var started = oidc.start(
                    ClientInfo.of(ctx, addresses),
                    ctx.pathParam("provider"),
                    LocalPath.orElse(ctx.queryParam("next"), "/"),
                    Optional.ofNullable(ctx.queryParam("invitation")).filter(secret -> !secret.isEmpty()),
                    callback(ctx));
            set(ctx, ATTEMPT, started.browser());
            ctx.redirect(started.location(), HttpStatus.SEE_OTHER);
        } catch (Problem refusal) {
            showProblem(ctx, refusal);
        }
    }

    private void finish(Context ctx) {
        var client = ClientInfo.of(ctx, addresses);
        try {
            var finished = oidc.finish(
                    client,
                    Caller.find(ctx),
                    ctx.pathParam("provider"),
                    read(ctx, ATTEMPT),
                    ctx.queryParamMap(),
                    callback(ctx));
            clear(ctx, ATTEMPT);
            var waiting = finished.waiting();
            if (waiting != null) {
                set(ctx, WAITING, waiting);
            }
            var session = finished.session();
            if (session != null) {
                cookie.set(ctx, session);
                cookie.rememberDevice(ctx, session.user(), client, Device.name(client.agent()));
            }
            shell.seeOther(ctx, finished.next());
        } catch (Problem refusal) {
            clear(ctx, ATTEMPT);
            showProblem(ctx, refusal);
        }
    }

    private void link(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "password");
        try {
            var waiting = oidc.waiting(read(ctx, WAITING));
            oidc.link(caller, read(ctx, WAITING), form.value("password"));
            clear(ctx, WAITING);
            shell.seeOther(ctx, waiting.next(), Text.of("accounts.identity-linked", "provider", waiting.provider()));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            showLink(ctx, form.refused(refusal));
        }
    }

    private void showLink(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        try {
            var account = users.profile(caller.user()).user();
            shell.page(
                    ctx,
                    LINK,
                    "accounts/identity-link",
                    Map.of(
                            "form",
                            form.without("password"),
                            "identity",
                            oidc.waiting(read(ctx, WAITING)),
                            "account",
                            account.email().value(),
                            "isConfirmed",
                            sessions.isConfirmed(caller)));
        } catch (Problem refusal) {
            showProblem(ctx, refusal);
        }
    }

    private void signUp(Context ctx) {
        var form = Form.of(ctx, "nickname", "consent");
        try {
            var waiting = oidc.waiting(read(ctx, WAITING));
            var nickname = Nickname.parse(form.value("nickname"));
            var session = oidc.signUp(
                    ClientInfo.of(ctx, addresses), read(ctx, WAITING), nickname, SignUpPages.preferences(ctx));
            clear(ctx, WAITING);
            cookie.set(ctx, session);
            cookie.rememberDevice(ctx, session.user());
            shell.seeOther(ctx, waiting.next(), Text.of("accounts.signup-welcome", "nickname", nickname));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            showSignUp(ctx, Optional.of(form.refused(refusal)));
        }
    }

    private void showSignUp(Context ctx, Optional<Form> refused) {
        try {
            var identity = oidc.waiting(read(ctx, WAITING));
            var form = refused.orElseGet(() -> Form.filled(Map.of("nickname", identity.nickname())));
            shell.page(
                    ctx,
                    SIGN_UP,
                    "accounts/identity-signup",
                    Map.of("form", form, "identity", identity, "noticeUrl", noticeUrl));
        } catch (Problem refusal) {
            showProblem(ctx, refusal);
        }
    }

    /** Whatever went wrong with the provider, there is a way on. */
    private void showProblem(Context ctx, Problem refusal) {
        shell.refused(ctx, refusal);
        shell.page(
                ctx,
                Text.of("accounts.log-in"),
                "accounts/oidc-problem",
                Map.of("form", Form.EMPTY.withProblem(refusal.detail())));
    }

    private URI callback(Context ctx) {
        var base = http.publicUrl().isEmpty() ? ctx.scheme() + "://" + ctx.host() : http.publicUrl();
        return URI.create(base + "/login/oidc/" + ctx.pathParam("provider") + "/callback");
    }

    private static String read(Context ctx, String name) {
        return Optional.ofNullable(ctx.cookie(name)).orElse("");
    }

    private void set(Context ctx, String name, String secret) {
        ctx.cookie(of(name, secret, LIFETIME));
    }

    private void clear(Context ctx, String name) {
        ctx.cookie(of(name, "", Duration.ZERO));
    }

    /** Lax, since the browser comes back from another site. */
    private Cookie of(String name, String secret, Duration lifetime) {
        return new Cookie(name, secret, "/", (int) lifetime.toSeconds(), http.isSecure(), true, null, SameSite.LAX);
    }
}
