package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsConfig;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.Passwords;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.ai.AiModels;
import io.hiroba.accounts.signin.Authentication;
import io.hiroba.accounts.signin.PasswordChange;
import io.hiroba.accounts.signin.PasswordCheck;
import io.hiroba.accounts.signin.SessionCookie;
import io.hiroba.accounts.signin.Sessions;
import io.hiroba.accounts.signin.Tokens;
import io.hiroba.accounts.signup.CodeLimits;
import io.hiroba.accounts.signup.Codes;
import io.hiroba.accounts.signup.EmailChange;
import io.hiroba.accounts.signup.PasswordReset;
import io.hiroba.accounts.signup.SignUp;
import io.hiroba.platform.events.Bell;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Assets;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.Secrets;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.mail.KeptMail;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.web.ErrorPages;
import io.hiroba.platform.web.Shell;
import io.hiroba.platform.web.Templates;
import io.hiroba.platform.web.ThemeRoutes;
import io.hiroba.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A server with the pages of accounts, over a database of its own and without a mail server. */
final class PagesServer implements AutoCloseable {

    static final String PASSWORD = "correct horse";

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Pattern CODE = Pattern.compile("\\b[0-9]{6}\\b");

    private final TestDatabase database = TestDatabase.create();
    private final WorkerLease lease = new WorkerLease(database.db(), Clock.systemUTC(), Duration.ofSeconds(30));
    private final Mailer mailer;
    private final Users users;
    private final Credentials credentials;
    private final HttpServer server;

    PagesServer(Path folder) {
        var db = database.db();
        var ids = lease.ids();
        var clock = Clock.systemUTC();
        var config = AccountsConfig.DEFAULT
                .withHashing(new AccountsConfig.Hashing(64, 1, 1, 4))
                .withLimits(new AccountsConfig.Limits(1000, 1000, 1000, 1000));
        var http = HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(false, 1, 1));
        mailer = new Mailer(
                db,
                ids,
                MailConfig.DEFAULT.withLimits(new MailConfig.Limits(1000, 1000, 1000)),
                folder,
                new SimpleMeterRegistry());
        var audit = new AuditLog(db, ids);
        users = new Users(db, ids, clock, new EventLog(new Bell()), audit);
        credentials = new Credentials(db, new Passwords(config.hashing()));
        var throttle = new Throttle(db, clock);
        var check = new PasswordCheck(credentials, throttle, config.limits());
        var sessions = new Sessions(db, ids, clock, config.sessionLifetime(), check, audit);
        var tokens = new Tokens(db, ids, clock, check);
        var codes = new Codes(db, clock, config.codes(), new CodeLimits(throttle, config.limits()), mailer);
        var cookie = new SessionCookie(http.isSecure(), config.sessionLifetime());
        var authentication = new Authentication(sessions, tokens);
        var addresses = new ClientAddress(http.trustedProxies());
        var cursors = new Cursors(new Secrets(db));
        var assets = new Assets();

        var readers = new Readers(users);
        var shell = new Shell(new Templates(), assets::url, readers, AccountsNav.ITEMS, http.isSecure());
        var people = new People(users, readers, cursors, clock);
        server = HttpServer.builder(http, db)
                .assets(assets)
                .identity(authentication)
                .errorPage(new ErrorPages(shell))
                .routes(
                        authentication,
                        new ThemeRoutes(shell),
                        new HomePage(shell, readers, people, tokens, clock, http.publicUrl()),
                        new LogInPages(shell, sessions, cookie, addresses),
                        new SignUpPages(
                                shell, new SignUp(db, users, credentials, codes), users, sessions, cookie, addresses),
                        new PasswordResetPages(
                                shell, new PasswordReset(db, users, credentials, sessions, audit, codes), addresses),
                        new ProfilePages(shell, users, new AiModels(db, clock, audit)),
                        new EmailPages(shell, users, new EmailChange(db, users, check, audit, codes), addresses),
                        new PasswordPages(shell, new PasswordChange(db, credentials, check, sessions, audit)),
                        new SessionPages(shell, readers, sessions, clock),
                        new TokenPages(shell, readers, tokens, clock),
                        new PeoplePages(shell, users, people),
                        new AdminPages(shell, users, credentials, people, sessions, cookie),
                        new MailPages(shell, readers, mailer, clock))
                .build()
                .start();
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    /** Makes an account with the {@link #PASSWORD}; answers its e-mail. */
    String user(String nickname) {
        return user(nickname, false);
    }

    String admin(String nickname) {
        return user(nickname, true);
    }

    private String user(String nickname, boolean admin) {
        var email = "user" + COUNT.incrementAndGet() + "@example.org";
        var hash = credentials.hash(new Password(PASSWORD));
        database.db().useTransaction(tx -> users.create(tx, Email.parse(email), new Nickname(nickname), hash, admin));
        return email;
    }

    /** The code in the newest mail to an address. */
    String codeFor(String email) {
        return Awaitility.await()
                .until(
                        () -> mailer.recent(100).stream()
                                .filter(mail -> mail.to().equals(email))
                                .map(KeptMail::text)
                                .flatMap(text -> CODE.matcher(text).results().map(hit -> hit.group()))
                                .toList(),
                        codes -> !codes.isEmpty())
                .getFirst();
    }

    @Override
    public void close() {
        server.close();
        mailer.close();
        lease.close();
        database.close();
    }

    static List<String> signedInPages() {
        return List.of(
                "/",
                "/users",
                "/settings/profile",
                "/settings/email",
                "/settings/password",
                "/settings/sessions",
                "/settings/tokens",
                "/admin/users",
                "/admin/mail");
    }
}
