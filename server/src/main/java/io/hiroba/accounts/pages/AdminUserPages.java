package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.PasswordChange;
import io.hiroba.accounts.SecondFactors;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.Suspensions;
import io.hiroba.accounts.Suspensions.NewSuspension;
import io.hiroba.accounts.Suspensions.Suspension;
import io.hiroba.accounts.TokenId;
import io.hiroba.accounts.Tokens;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.UserUpdate;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.UserDirectory.AccountView;
import io.hiroba.accounts.pages.UserDirectory.SuspendedView;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The admin page of one user: name and address, role, suspension, password, second factors, sessions and tokens. */
final class AdminUserPages implements Routes {

    private static final String PATH = "/admin/users/";
    private static final String ROUTE = "/admin/users/{id}";
    private static final int MAX_SHOWN = 100;

    private final Shell shell;
    private final Readers readers;
    private final Users users;
    private final UserDirectory people;
    private final Suspensions suspensions;
    private final Sessions sessions;
    private final PasswordChange passwords;
    private final Tokens tokens;
    private final SecondFactors factors;
    private final int minPassword;

    AdminUserPages(Shell shell, AccountsModule accounts) {
        this.shell = shell;
        this.readers = accounts.readers();
        this.users = accounts.users();
        this.people = accounts.directory();
        this.suspensions = accounts.suspensions();
        this.sessions = accounts.sessions();
        this.passwords = accounts.passwordChange();
        this.tokens = accounts.tokens();
        this.factors = accounts.secondFactors();
        this.minPassword = accounts.credentials().minLength();
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ROUTE, ctx -> show(ctx, Forms.NONE));
        routes.post(ROUTE, this::save);
        routes.post(ROUTE + "/role", this::changeRole);
        routes.post(ROUTE + "/suspend", this::suspend);
        routes.post(ROUTE + "/restore", this::restore);
        routes.post(ROUTE + "/password", this::setPassword);
        routes.post(ROUTE + "/sessions/{sessionId}/end", this::endSession);
        routes.post(ROUTE + "/tokens/{tokenId}/revoke", this::revokeToken);
        routes.post(ROUTE + "/second-factors/reset", this::resetFactors);
    }

    private void save(Context ctx) {
        var form = Form.of(ctx, "nickname", "email");
        change(ctx, form, Forms::withAccount, Text.of("accounts.user-saved"), (caller, id) -> {
            var before = users.profile(id);
            var email = Email.parse(form.value("email"));
            users.update(
                    caller,
                    id,
                    UserUpdate.of(before).with(Nickname.parse(form.value("nickname")), null, email),
                    sessions.confirm(caller, ""));
        });
    }

    private void changeRole(Context ctx) {
        boolean admin = "true".equals(ctx.formParam("isAdmin"));
        var done = Text.of(admin ? "accounts.user-promoted" : "accounts.user-demoted");
        change(ctx, Form.EMPTY, Forms::withRole, done, (caller, id) -> {
            var before = users.profile(id);
            users.update(
                    caller,
                    id,
                    UserUpdate.of(before).with(before.user().nickname(), admin, null),
                    sessions.confirm(caller, ""));
        });
    }

    private void suspend(Context ctx) {
        var form = Form.of(ctx, "reason", "until", "endTokens");
        change(
                ctx,
                form,
                Forms::withSuspension,
                Text.of("accounts.user-suspended"),
                (caller, id) -> suspensions.suspend(
                        caller,
                        id,
                        new NewSuspension(form.value("reason"), until(ctx, form), form.isChecked("endTokens"))));
    }

    private @Nullable Instant until(Context ctx, Form form) {
        var picked = form.value("until");
        return picked.isBlank()
                ? null
                : readers.reader(ctx)
                        .parse(picked)
                        .orElseThrow(() -> HttpProblem.invalid("until", Text.of("accounts.field.moment")));
    }

    private void restore(Context ctx) {
        change(ctx, Form.EMPTY, Forms::withSuspension, Text.of("accounts.user-restored"), suspensions::restore);
    }

    private void setPassword(Context ctx) {
        var form = Form.of(ctx, "password");
        change(
                ctx,
                form,
                Forms::withPassword,
                Text.of("accounts.user-password-set"),
                (caller, id) ->
                        passwords.change(caller, id, Optional.empty(), new Password(form.value("password")), true));
    }

    private void endSession(Context ctx) {
        var session = SessionId.parse(ctx.pathParam("sessionId"));
        change(
                ctx,
                Form.EMPTY,
                Forms::withRole,
                Text.of("accounts.sessions-ended"),
                (caller, id) -> sessions.revoke(caller, id, session));
    }

    private void revokeToken(Context ctx) {
        var token = TokenId.parse(ctx.pathParam("tokenId"));
        change(
                ctx,
                Form.EMPTY,
                Forms::withRole,
                Text.of("accounts.tokens-revoked"),
                (caller, id) -> tokens.revokeOf(caller, id, token, sessions.confirm(caller, "")));
    }

    private void resetFactors(Context ctx) {
        change(
                ctx,
                Form.EMPTY,
                Forms::withRole,
                Text.of("accounts.user-factors-reset"),
                (caller, id) -> factors.reset(caller, id, ""));
    }

    /** A change of the account by an admin. */
    @FunctionalInterface
    private interface Change {
        void of(Caller caller, UserId user);
    }

    /** Puts a refused form beside the others. */
    @FunctionalInterface
    private interface Refused {
        Forms in(Forms forms, Form form);
    }

    private void change(Context ctx, Form form, Refused refused, Text done, Change change) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var id = UserId.parse(ctx.pathParam("id"));
        try {
            change.of(caller, id);
            shell.seeOther(ctx, PATH + id.hex(), done);
        } catch (Problem refusal) {
            if (ConfirmPages.isAsked(refusal)) {
                ConfirmPages.ask(shell, ctx, PATH + id.hex());
                return;
            }
            shell.refusedForm(ctx, refusal, PATH + id.hex());
            show(ctx, refused.in(Forms.NONE, form.refused(refusal)));
        }
    }

    private void show(Context ctx, Forms forms) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var id = UserId.parse(ctx.pathParam("id"));
        var user = users.profile(id).user();
        var status = suspensions.status(caller, id);
        var reader = readers.reader(ctx);
        var person = people.view(ctx, caller, user, status.suspension() != null);
        var listed = sessions.list(caller, id, Optional.empty(), MAX_SHOWN).stream()
                .map(session -> SessionPages.view(session, caller, reader))
                .toList();
        var view = new AccountView(
                person,
                UserDirectory.about(reader, person, status.lastSeenAt()),
                id.equals(caller.user()),
                suspended(ctx, status.suspension()),
                listed,
                tokens.listOf(caller, id, Optional.empty(), MAX_SHOWN).stream()
                        .map(token -> TokenPages.view(token, reader))
                        .toList(),
                factors.isEnrolled(caller, id));
        var account = forms.account().values().isEmpty()
                ? Form.filled(Map.of(
                        "nickname", user.nickname().value(),
                        "email", user.email().value()))
                : forms.account();
        shell.page(
                ctx,
                user.nickname().value(),
                "accounts/admin-user",
                Map.of(
                        "account", view,
                        "isConfirmed", sessions.isConfirmed(caller),
                        "minPassword", minPassword,
                        "form", account,
                        "role", forms.role(),
                        "suspending", forms.suspension(),
                        "password", forms.password().without("password")));
    }

    private @Nullable SuspendedView suspended(Context ctx, @Nullable Suspension suspension) {
        if (suspension == null) {
            return null;
        }
        var reader = readers.reader(ctx);
        var by = users.find(suspension.by())
                .map(admin -> admin.user().nickname().value())
                .orElse("–");
        var until = suspension.until();
        var since = reader.dateTime(suspension.at());
        return new SuspendedView(
                until == null
                        ? reader.text("accounts.user-suspended-since", "since", since, "admin", by)
                        : reader.text(
                                "accounts.user-suspended-until",
                                "since",
                                since,
                                "admin",
                                by,
                                "until",
                                reader.dateTime(until)),
                suspension.reason());
    }

    /**
     * The forms of the page, of which one may have been refused.
     *
     * @param account the nickname and the address
     */
    private record Forms(Form account, Form role, Form suspension, Form password) {

        static final Forms NONE = new Forms(Form.EMPTY, Form.EMPTY, Form.EMPTY, Form.EMPTY);

        Forms withAccount(Form form) {
            return new Forms(form, role, suspension, password);
        }

        Forms withRole(Form form) {
            return new Forms(account, form, suspension, password);
        }

        Forms withSuspension(Form form) {
            return new Forms(account, role, form, password);
        }

        Forms withPassword(Form form) {
            return new Forms(account, role, suspension, form);
        }
    }
}
