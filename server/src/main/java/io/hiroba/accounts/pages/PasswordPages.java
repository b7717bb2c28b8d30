package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.OidcLogIns;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.PasswordChange;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.Map;
import java.util.Optional;

/** The settings page that changes the password, and the hint beside every field that takes a new one. */
final class PasswordPages implements Routes {

    private final Shell shell;
    private final PasswordChange change;
    private final Users users;
    private final Credentials credentials;
    private final Sessions sessions;
    private final OidcLogIns oidc;

    PasswordPages(Shell shell, AccountsModule accounts) {
        this.shell = shell;
        this.change = accounts.passwordChange();
        this.users = accounts.users();
        this.credentials = accounts.credentials();
        this.sessions = accounts.sessions();
        this.oidc = accounts.oidc();
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings/password", this::form);
        routes.post("/settings/password", this::save);
        routes.post("/password-strength", this::strength);
        // Where programs that keep passwords look for the page.
        routes.get("/.well-known/change-password", ctx -> ctx.redirect("/settings/password", HttpStatus.FOUND));
    }

    private void form(Context ctx) {
        Caller.of(ctx);
        show(ctx, Form.filled(Map.of("endTokens", "true")));
    }

    private void save(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "currentPassword", "password", "endTokens");
        try {
            var next = new Password(form.value("password"));
            change.change(
                    caller,
                    caller.user(),
                    Optional.of(form.value("currentPassword")),
                    next,
                    form.isChecked("endTokens"));
            var done =
                    form.isChecked("endTokens") ? "accounts.password-changed" : "accounts.password-changed-tokens-kept";
            shell.seeOther(ctx, "/settings/password", Text.of(done));
        } catch (Problem refusal) {
            if (ConfirmPages.isAsked(refusal)) {
                ConfirmPages.ask(shell, ctx, "/settings/password");
                return;
            }
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal));
        }
    }

    /** Rates what is in a field for a new password, while it is typed. */
    private void strength(Context ctx) {
        var form = Form.of(ctx, "password", "nickname", "email");
        var typed = form.value("password");
        var rating = typed.isEmpty() ? Optional.<Password.Rating>empty() : credentials.rate(typed, known(ctx, form));
        if (rating.isEmpty()) {
            ctx.status(204);
            return;
        }
        shell.fragment(ctx, "accounts/password-strength", Map.of("rating", rating.get()));
    }

    /** The form's account, or else the reader's own. */
    private Object[] known(Context ctx, Form form) {
        return Caller.find(ctx)
                .filter(caller -> form.value("nickname").isEmpty())
                .flatMap(caller -> users.find(caller.user()))
                .map(profile ->
                        new Object[] {profile.user().nickname(), profile.user().email()})
                .orElseGet(() -> new Object[] {form.value("nickname"), form.value("email")});
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        shell.page(
                ctx,
                Text.of("accounts.password"),
                "accounts/settings-password",
                Map.of(
                        "form", form.without("currentPassword", "password"),
                        "minPassword", credentials.minLength(),
                        "hasPassword", change.hasPassword(caller.user()),
                        "isConfirmed", sessions.isConfirmed(caller),
                        "providers", oidc.providers()));
    }
}
