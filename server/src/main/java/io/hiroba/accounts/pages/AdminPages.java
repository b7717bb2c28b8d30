package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.SessionCookie;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.Users.NewUser;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The admin pages that create users and act as them. */
final class AdminPages implements Routes {

    private final Shell shell;
    private final Users users;
    private final Credentials credentials;
    private final UserDirectory people;
    private final Sessions sessions;
    private final SessionCookie cookie;

    AdminPages(
            Shell shell,
            Users users,
            Credentials credentials,
            UserDirectory people,
            Sessions sessions,
            SessionCookie cookie) {
        this.shell = shell;
        this.users = users;
        this.credentials = credentials;
        this.people = people;
        this.sessions = sessions;
        this.cookie = cookie;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/admin/users", ctx -> show(ctx, Form.EMPTY));
        routes.post("/admin/users", this::create);
        routes.post("/admin/act-as", this::actAs);
        routes.post("/admin/act-as/end", this::endActing);
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var form = Form.of(ctx, "email", "nickname", "password", "isAdmin");
        try {
            var email = Email.parse(form.value("email"));
            var nickname = Nickname.parse(form.value("nickname"));
            var user = new NewUser(
                    email,
                    nickname,
                    credentials.hashChosen(new Password(form.value("password")), nickname, email),
                    form.isChecked("isAdmin"));
            users.create(caller, user, sessions.confirm(caller, ""));
            shell.seeOther(ctx, "/admin/users", Text.of("accounts.users-created", "nickname", user.nickname()));
        } catch (Problem refusal) {
            if (ConfirmPages.isAsked(refusal)) {
                ConfirmPages.ask(shell, ctx, "/admin/users");
                return;
            }
            shell.refused(ctx, refusal);
            show(ctx, form.refused(refusal));
        }
    }

    private void actAs(Context ctx) {
        var user = UserId.parse(String.valueOf(ctx.formParam("userId")));
        cookie.set(ctx, sessions.switchUser(Caller.of(ctx), user));
        shell.seeOther(ctx, "/");
    }

    private void endActing(Context ctx) {
        var caller = Caller.of(ctx);
        cookie.set(ctx, sessions.switchUser(caller, caller.actor()));
        shell.seeOther(ctx, "/admin/users", Text.of("accounts.users-acting-ended"));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        shell.page(
                ctx,
                Text.of("accounts.users"),
                "accounts/admin-users",
                Map.of(
                        "form", form.without("password"),
                        "people", people.adminPage(ctx, caller),
                        "minPassword", credentials.minLength()));
    }
}
