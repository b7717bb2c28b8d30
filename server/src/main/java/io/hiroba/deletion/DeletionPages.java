package io.hiroba.deletion;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The settings page on which people delete their account: the nickname is typed, and who it is confirmed. */
final class DeletionPages implements Routes {

    private static final String PATH = "/settings/data/delete-account";

    private final Shell shell;
    private final AccountsModule accounts;
    private final AccountDeletions deletions;

    DeletionPages(Shell shell, AccountsModule accounts, AccountDeletions deletions) {
        this.shell = shell;
        this.accounts = accounts;
        this.deletions = deletions;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, Form.EMPTY));
        routes.post(PATH, this::delete);
    }

    private void delete(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "nickname", "password");
        try {
            if (caller.acting()) {
                throw AccountsProblem.ownDataOnly();
            }
            var nickname = accounts.users().profile(caller.user()).user().nickname();
            if (!form.value("nickname").strip().equals(nickname.value())) {
                throw AccountsProblem.invalid("nickname", Text.of("accounts.field.other-nickname"));
            }
            boolean isGone = deletions.delete(caller, caller.user(), form.value("password"));
            accounts.sessionCookie().clear(ctx);
            shell.seeOther(
                    ctx, "/", Text.of(isGone ? "accounts.delete-account-done" : "accounts.delete-account-going-on"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal));
        }
    }

    private void show(Context ctx, Form form) {
        var isConfirmed = accounts.sessions().isConfirmed(Caller.of(ctx));
        shell.page(
                ctx,
                Text.of("accounts.delete-account"),
                "accounts/settings-delete",
                Map.of("form", form.without("password"), "isConfirmed", isConfirmed));
    }
}
