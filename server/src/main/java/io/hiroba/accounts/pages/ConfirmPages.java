package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.OidcLogIns;
import io.hiroba.accounts.Passkeys;
import io.hiroba.accounts.SecondFactors;
import io.hiroba.accounts.Sessions;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.LocalPath;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The page on which people confirm by password or passkey that a session is theirs, before they change how they or others sign in. */
final class ConfirmPages implements Routes {

    private final Shell shell;
    private final Sessions sessions;
    private final SecondFactors factors;
    private final Passkeys passkeys;
    private final OidcLogIns oidc;

    ConfirmPages(Shell shell, AccountsModule accounts) {
        this.shell = shell;
        this.sessions = accounts.sessions();
        this.factors = accounts.secondFactors();
        this.passkeys = accounts.passkeys();
        this.oidc = accounts.oidc();
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings/confirm", this::form);
        routes.post("/settings/confirm", this::byPassword);
        routes.post(
                "/settings/confirm/challenge",
                ctx -> ctx.json(passkeys.startConfirmation(LogInPages.origin(ctx), Caller.of(ctx))));
        routes.post("/settings/confirm/passkey", this::byPasskey);
    }

    /** Whether a change was refused for want of a confirmation. */
    static boolean isAsked(Problem refusal) {
        return refusal.code().equals(AccountsProblem.passwordRequired().code());
    }

    /** Leads to the page, and from there to {@code next}, where the change is made again. */
    static void ask(Shell shell, Context ctx, String next) {
        shell.seeOther(ctx, "/settings/confirm?next=" + next);
    }

    private void form(Context ctx) {
        Caller.of(ctx);
        show(ctx, Form.EMPTY, next(ctx.queryParam("next")));
    }

    private void byPassword(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "password");
        confirm(ctx, form, () -> sessions.confirm(caller, form.value("password")));
    }

    private void byPasskey(Context ctx) {
        var caller = Caller.of(ctx);
        confirm(ctx, Form.EMPTY, () -> passkeys.confirm(LogInPages.origin(ctx), caller, LogInPages.answer(ctx)));
    }

    private void confirm(Context ctx, Form form, Runnable confirmation) {
        var next = next(ctx.formParam("next"));
        try {
            confirmation.run();
            shell.seeOther(ctx, next);
        } catch (Problem refusal) {
            shell.refused(ctx, refusal, "/settings/confirm");
            show(ctx, form.refused(refusal), next);
        }
    }

    private static String next(@Nullable String wanted) {
        return LocalPath.orElse(wanted, "/settings/security");
    }

    private void show(Context ctx, Form form, String next) {
        var caller = Caller.of(ctx);
        var hasPasskey =
                factors.list(caller).has(SecondFactors.Kind.PASSKEY) && passkeys.isAvailable(LogInPages.origin(ctx));
        shell.page(
                ctx,
                Text.of("accounts.confirm-title"),
                "accounts/settings-confirm",
                Map.of(
                        "form",
                        form.without("password"),
                        "next",
                        next,
                        "hasPasskey",
                        hasPasskey,
                        "hasPassword",
                        caller.acting() || oidc.hasPassword(caller),
                        "providers",
                        oidc.providers()));
    }
}
