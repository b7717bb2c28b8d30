package io.hiroba.deletion;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.function.Consumer;

/** The pages on which people delete their account, and admins any: they say what goes, and ask for the nickname. */
final class DeletionPages implements Routes {

    private static final String OWN = "/settings/data/delete-account";
    private static final String ANY = "/admin/users/{id}/delete";

    private final Shell shell;
    private final AccountsModule accounts;
    private final AccountDeletions deletions;
    private final Successions successions;

    DeletionPages(Shell shell, AccountsModule accounts, AccountDeletions deletions, Successions successions) {
        this.shell = shell;
        this.accounts = accounts;
        this.deletions = deletions;
        this.successions = successions;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(OWN, ctx -> showOwn(ctx, Form.EMPTY));
        routes.post(OWN, this::deleteOwn);
        routes.get(ANY, ctx -> showAny(ctx, any(ctx), Form.EMPTY));
        routes.post(ANY, this::deleteAny);
    }

    private void deleteOwn(Context ctx) {
        var caller = Caller.of(ctx);
        delete(ctx, caller.user(), form -> showOwn(ctx, form), isGone -> {
            accounts.sessionCookie().clear(ctx);
            shell.seeOther(
                    ctx, "/", Text.of(isGone ? "accounts.delete-account-done" : "accounts.delete-account-going-on"));
        });
    }

    private void deleteAny(Context ctx) {
        var user = any(ctx);
        var nickname = nickname(user);
        delete(ctx, user, form -> showAny(ctx, user, form), isGone -> {
            var done = isGone ? "accounts.user-deleted" : "accounts.user-being-deleted";
            shell.seeOther(ctx, "/admin/users", Text.of(done, "nickname", nickname));
        });
    }

    private static UserId any(Context ctx) {
        Caller.of(ctx).requireAdmin();
        return UserId.parse(ctx.pathParam("id"));
    }

    /** @param deleted is told whether everything is gone already */
    private void delete(Context ctx, UserId user, Consumer<Form> show, Consumer<Boolean> deleted) {
        var form = Form.of(ctx, "nickname", "password");
        try {
            var caller = Caller.of(ctx);
            if (caller.acting()) {
                throw AccountsProblem.ownDataOnly();
            }
            if (!form.value("nickname").strip().equals(nickname(user))) {
                throw AccountsProblem.invalid("nickname", Text.of("accounts.field.other-nickname"));
            }
            deleted.accept(deletions.delete(caller, user, form.value("password")));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show.accept(form.refused(refusal));
        }
    }

    private String nickname(UserId user) {
        return accounts.users().profile(user).user().nickname().value();
    }

    private void showOwn(Context ctx, Form form) {
        shell.page(
                ctx,
                Text.of("accounts.delete-account"),
                "accounts/settings-delete",
                Map.of(
                        "form", form.without("password"),
                        "projects", successions.projects(Caller.of(ctx).user()),
                        "collections", successions.collections(Caller.of(ctx).user()),
                        "isConfirmed", isConfirmed(ctx)));
    }

    private void showAny(Context ctx, UserId user, Form form) {
        var people = accounts.directory();
        var person = people.profile(ctx, Caller.of(ctx), user).person();
        shell.page(
                ctx,
                Text.of("accounts.user-delete-heading", "nickname", person.nickname()),
                "accounts/admin-delete",
                Map.of(
                        "form", form.without("password"),
                        "person", person,
                        "counts", people.counts(user),
                        "projects", successions.projects(user),
                        "collections", successions.collections(user),
                        "isConfirmed", isConfirmed(ctx)));
    }

    private boolean isConfirmed(Context ctx) {
        return accounts.sessions().isConfirmed(Caller.of(ctx));
    }
}
