package io.hiroba;

import io.hiroba.accounts.AccountDeletion;
import io.hiroba.accounts.AccountsConfig;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditRoutes;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.FirstAdmin;
import io.hiroba.accounts.Passwords;
import io.hiroba.accounts.Revocations;
import io.hiroba.accounts.UserRoutes;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.ai.AiActions;
import io.hiroba.accounts.ai.AiModels;
import io.hiroba.accounts.ai.AiRoutes;
import io.hiroba.accounts.pages.AdminPages;
import io.hiroba.accounts.pages.EmailPages;
import io.hiroba.accounts.pages.LogInPages;
import io.hiroba.accounts.pages.MailPages;
import io.hiroba.accounts.pages.OverviewPage;
import io.hiroba.accounts.pages.PasswordPages;
import io.hiroba.accounts.pages.PasswordResetPages;
import io.hiroba.accounts.pages.People;
import io.hiroba.accounts.pages.PeoplePages;
import io.hiroba.accounts.pages.ProfilePages;
import io.hiroba.accounts.pages.Profiles;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.accounts.pages.SessionPages;
import io.hiroba.accounts.pages.SignUpPages;
import io.hiroba.accounts.pages.TokenPages;
import io.hiroba.accounts.signin.Authentication;
import io.hiroba.accounts.signin.PasswordChange;
import io.hiroba.accounts.signin.PasswordCheck;
import io.hiroba.accounts.signin.SessionCookie;
import io.hiroba.accounts.signin.SessionRoutes;
import io.hiroba.accounts.signin.Sessions;
import io.hiroba.accounts.signin.TokenCalls;
import io.hiroba.accounts.signin.TokenRoutes;
import io.hiroba.accounts.signin.Tokens;
import io.hiroba.accounts.signup.CodeLimits;
import io.hiroba.accounts.signup.Codes;
import io.hiroba.accounts.signup.EmailChange;
import io.hiroba.accounts.signup.ExpirySweep;
import io.hiroba.accounts.signup.PasswordReset;
import io.hiroba.accounts.signup.SignUp;
import io.hiroba.accounts.signup.SignUpRoutes;
import io.hiroba.demo.Demo;
import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import java.time.ZoneId;
import java.util.List;

/** The accounts feature, wired. */
final class AccountsWiring {

    final Users users;
    final Authentication authentication;
    final FirstAdmin firstAdmin;
    final Readers readers;
    final Profiles profiles;

    private final Platform platform;
    private final AuditLog audit;
    final Credentials credentials;
    private final PasswordChange passwordChange;
    final Sessions sessions;
    private final Tokens tokens;
    private final Codes codes;
    private final SignUp signUp;
    private final PasswordReset passwordReset;
    private final EmailChange emailChange;
    private final AiModels models;
    private final AiActions actions;
    private final SessionCookie cookie;
    private final People people;

    AccountsWiring(Platform platform, AccountsConfig config) {
        this.platform = platform;
        var db = platform.db();
        var ids = platform.ids();
        var clock = platform.clock();
        var passwords = new Passwords(config.hashing());
        audit = new AuditLog(db, ids);
        var revocations = new Revocations();
        users = new Users(db, ids, clock, platform.events(), audit, revocations);
        credentials = new Credentials(db, passwords);
        firstAdmin = new FirstAdmin(db, users, passwords, audit);

        var check = new PasswordCheck(credentials, platform.throttle(), config.limits());
        sessions = new Sessions(db, ids, clock, config.sessionLifetime(), check, audit, revocations);
        tokens = new Tokens(db, ids, clock, check, revocations);
        passwordChange = new PasswordChange(db, credentials, check, sessions, audit);
        authentication = new Authentication(sessions, tokens);
        cookie = new SessionCookie(platform.http().isSecure(), config.sessionLifetime());

        var limits = new CodeLimits(platform.throttle(), config.limits());
        codes = new Codes(db, clock, config.codes(), limits, platform.mailer());
        signUp = new SignUp(db, users, credentials, codes);
        passwordReset = new PasswordReset(db, users, credentials, sessions, audit, codes);
        emailChange = new EmailChange(db, users, check, audit, codes);

        models = new AiModels(db, clock, audit);
        actions = new AiActions(db, ids);
        readers = new Readers(users, clock, ZoneId.systemDefault());
        people = new People(users, readers, platform.cursors(), clock);
        profiles = new Profiles(users, people);
    }

    ExpirySweep sweep() {
        return new ExpirySweep(sessions, tokens, codes);
    }

    Demo demo(Db leases) {
        return new Demo(platform.db(), leases, platform.clock(), platform.events(), users, credentials, models);
    }

    /** Who calls over gRPC. */
    TokenCalls callers() {
        return new TokenCalls(tokens);
    }

    /** @param deletion what else there is to an account is not known here */
    List<Routes> routes(AccountDeletion deletion) {
        var cursors = platform.cursors();
        var idempotency = platform.idempotency();
        var addresses = platform.addresses();
        return List.of(
                authentication,
                new UserRoutes(users, credentials, idempotency, cursors, deletion),
                new AuditRoutes(audit, cursors),
                new SessionRoutes(sessions, passwordChange, cookie, addresses, cursors),
                new TokenRoutes(tokens, addresses, cursors),
                new SignUpRoutes(signUp, passwordReset, emailChange, addresses),
                new AiRoutes(models, actions, idempotency, cursors));
    }

    List<Routes> pages(Shell shell) {
        var clock = platform.clock();
        var addresses = platform.addresses();
        return List.of(
                new OverviewPage(
                        shell,
                        users,
                        readers,
                        people,
                        tokens,
                        clock,
                        platform.http().publicUrl()),
                new SignUpPages(shell, signUp, sessions, cookie, addresses),
                new LogInPages(shell, sessions, cookie, addresses),
                new PasswordResetPages(shell, passwordReset, addresses),
                new ProfilePages(shell, users, models),
                new EmailPages(shell, users, emailChange, addresses),
                new PasswordPages(shell, passwordChange),
                new SessionPages(shell, readers, sessions, clock),
                new TokenPages(shell, readers, tokens, clock),
                new PeoplePages(shell, people),
                new MailPages(shell, readers, platform.mailer(), clock),
                new AdminPages(shell, users, credentials, people, sessions, cookie));
    }
}
