package io.hiroba.deletion;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.SessionCookie;
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

/** The pages on which people delete their account, and admins any: they say what goes, and ask for the nickname. */
final class DeletionPages implements Routes {

    private static final String OWN = "/settings/delete";
    private static final String ANY = "/admin/users/{id}/delete";

    private final Shell shell;
    private final AccountDeletions deletions;
    private final Users users;
    private final Sessions sessions;
    private final SessionCookie cookie;
    private final UserDirectory people;

    DeletionPages(Shell shell, AccountDeletions deletions, AccountsModule accounts) {
        this.shell = shell;
        this.deletions = deletions;
        this.users = accounts.users();
        this.sessions = accounts.sessions();
        this.cookie = accounts.sessionCookie();
        this.people = accounts.directory();
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(OWN, ctx -> show(ctx, own(ctx), Form.EMPTY));
        routes.post(OWN, ctx -> delete(ctx, own(ctx)));
        routes.get(ANY, ctx -> show(ctx, any(ctx), Form.EMPTY));
        routes.post(ANY, ctx -> delete(ctx, any(ctx)));
    }

    /**
     * An account to delete.
     *
     * @param page where its other settings are
     */
    private record Target(UserId user, String page) {}

    private static Target own(Context ctx) {
        return new Target(Caller.of(ctx).user(), "/settings");
    }

    private static Target any(Context ctx) {
        Caller.of(ctx).requireAdmin();
        var id = UserId.parse(ctx.pathParam("id"));
        return new Target(id, "/admin/users/" + id.hex());
    }

    private void delete(Context ctx, Target target) {
        var caller = Caller.of(ctx);
        var nickname = users.profile(target.user()).user().nickname().value();
        var form = Form.of(ctx, "nickname", "password");
        try {
            if (!form.value("nickname").strip().equals(nickname)) {
                throw AccountsProblem.invalid("nickname", Text.of("accounts.field.other-nickname"));
            }
            var done = deletions.delete(caller, target.user(), form.value("password"))
                    ? "accounts.user-deleted"
                    : "accounts.user-being-deleted";
            boolean own = target.user().equals(caller.user());
            if (own) {
                cookie.clear(ctx);
            }
            shell.seeOther(ctx, own ? "/" : "/admin/users", Text.of(done, "nickname", nickname));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, target, form.refused(refusal));
        }
    }

    private void show(Context ctx, Target target, Form form) {
        var caller = Caller.of(ctx);
        var person = people.profile(ctx, caller, target.user()).person();
        shell.page(
                ctx,
                Text.of("accounts.user-delete-heading", "nickname", person.nickname()),
                "accounts/delete",
                Map.of(
                        "form", form.without("password"),
                        "back", target.page(),
                        "person", person,
                        "counts", people.counts(target.user()),
                        "isConfirmed", sessions.isConfirmed(caller)));
    }
}
