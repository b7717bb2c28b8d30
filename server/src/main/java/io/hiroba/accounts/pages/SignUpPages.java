package io.hiroba.accounts.pages;

import io.hiroba.accounts.ClientInfo;
import io.hiroba.accounts.CodeId;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.SessionCookie;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.SignUp;
import io.hiroba.accounts.SignUp.Preferences;
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

/** The sign-up pages: first the address, then the mailed code with a nickname and a password. */
final class SignUpPages implements Routes {

    private static final Text TITLE = Text.of("accounts.signup");

    private final Shell shell;
    private final Readers readers;
    private final SignUp signUp;
    private final Sessions sessions;
    private final SessionCookie cookie;
    private final ClientAddress addresses;

    SignUpPages(
            Shell shell,
            Readers readers,
            SignUp signUp,
            Sessions sessions,
            SessionCookie cookie,
            ClientAddress addresses) {
        this.shell = shell;
        this.readers = readers;
        this.signUp = signUp;
        this.sessions = sessions;
        this.cookie = cookie;
        this.addresses = addresses;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/signup", ctx -> show(ctx, Form.EMPTY));
        routes.post("/signup", this::start);
        routes.get("/signup/verify", this::code);
        routes.post("/signup/verify", this::verify);
    }

    private void start(Context ctx) {
        var form = Form.of(ctx, "email");
        try {
            var id = signUp.start(
                    ClientInfo.of(ctx, addresses, readers.language(ctx)), Email.parse(form.value("email")));
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
        var form = Form.of(ctx, "code", "nickname", "password");
        var id = CodeId.parse(String.valueOf(ctx.queryParam("id")));
        try {
            // Read first, so that a bad name does not cost an attempt at the code.
            var nickname = Nickname.parse(form.value("nickname"));
            var password = new Password(form.value("password"));
            var user = signUp.verify(id, form.value("code").strip(), nickname, password, preferences(ctx));
            cookie.set(ctx, sessions.begin(ClientInfo.of(ctx, addresses), user));
            cookie.rememberDevice(ctx, user);
            shell.seeOther(ctx, "/", Text.of("accounts.signup-welcome", "nickname", nickname));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, id, form.refused(refusal));
        }
    }

    private static Preferences preferences(Context ctx) {
        return new Preferences(
                BrowserSettings.language(ctx), BrowserSettings.zone(ctx).orElse(null));
    }

    private void show(Context ctx, Form form) {
        var rules = signUp.rules();
        shell.page(
                ctx,
                TITLE,
                "accounts/signup",
                Map.of("form", form, "mode", rules.mode().code(), "domains", String.join(", ", rules.domains())));
    }

    private void show(Context ctx, CodeId id, Form form) {
        shell.page(ctx, TITLE, "accounts/signup-verify", Map.of("form", form.without("password"), "id", id.toString()));
    }
}
