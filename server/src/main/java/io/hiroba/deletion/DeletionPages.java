package io.hiroba.deletion;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.UserDirectory;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The page on which an admin deletes an account: it says what goes, and asks for the nickname. */
final class DeletionPages implements Routes {

    private static final String ROUTE = "/admin/users/{id}/delete";

    private final Shell shell;
    private final AccountDeletions deletions;
    private final Users users;
    private final Sessions sessions;
    private final UserDirectory people;

    DeletionPages(Shell shell, AccountDeletions deletions, AccountsModule accounts) {
        this.shell = shell;
        this.deletions = deletions;
        this.users = accounts.users();
        this.sessions = accounts.sessions();
        this.people = accounts.directory();
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ROUTE, ctx -> show(ctx, Form.EMPTY));
        routes.post(ROUTE, this::delete);
    }

    private void delete(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var id = UserId.parse(ctx.pathParam("id"));
        var nickname = users.profile(id).user().nickname().value();
        var form = Form.of(ctx, "nickname", "password");
        try {
            if (!form.value("nickname").strip().equals(nickname)) {
                throw AccountsProblem.invalid("nickname", Text.of("accounts.field.other-nickname"));
            }
            var done = deletions.delete(caller, id, form.value("password"))
                    ? "accounts.user-deleted"
                    : "accounts.user-being-deleted";
            shell.seeOther(ctx, "/admin/users", Text.of(done, "nickname", nickname));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal));
        }
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var profile = people.profile(ctx, caller, UserId.parse(ctx.pathParam("id")));
        shell.page(
                ctx,
                Text.of("accounts.user-delete-heading", "nickname", profile.person().nickname()),
                "accounts/admin-user-delete",
                Map.of(
                        "form",
                        form.without("password"),
                        "person",
                        profile.person(),
                        "counts",
                        people.counts(UserId.parse(profile.person().id())),
                        "isConfirmed",
                        sessions.isConfirmed(caller)));
    }
}
