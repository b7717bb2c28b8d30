package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.AccountsConfig;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditRoutes;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.Passwords;
import io.hiroba.accounts.Revocations;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.UserRoutes;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.ai.AiActions;
import io.hiroba.accounts.ai.AiModels;
import io.hiroba.accounts.ai.AiRoutes;
import io.hiroba.accounts.signin.Authentication;
import io.hiroba.accounts.signin.Client;
import io.hiroba.accounts.signin.PasswordChange;
import io.hiroba.accounts.signin.PasswordCheck;
import io.hiroba.accounts.signin.SessionCookie;
import io.hiroba.accounts.signin.SessionRoutes;
import io.hiroba.accounts.signin.Sessions;
import io.hiroba.accounts.signin.TokenRoutes;
import io.hiroba.accounts.signin.Tokens;
import io.hiroba.accounts.signup.CodeLimits;
import io.hiroba.accounts.signup.Codes;
import io.hiroba.accounts.signup.EmailChange;
import io.hiroba.accounts.signup.PasswordReset;
import io.hiroba.accounts.signup.SignUp;
import io.hiroba.accounts.signup.SignUpRoutes;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Secrets;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.mail.RecentMail;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The accounts feature on a database of its own, with cheap hashes, wide limits and a clock that can be set. */
public final class TestAccounts implements AutoCloseable {

    public static final String PASSWORD = "correct horse";
    public static final AccountsConfig CONFIG = AccountsConfig.DEFAULT
            .withHashing(new AccountsConfig.Hashing(64, 1, 1, 4))
            .withLimits(new AccountsConfig.Limits(10_000, 10_000, 10_000, 10_000));

    private static final Pattern CODE = Pattern.compile("\\b\\d{6}\\b");
    private static final AtomicInteger COUNT = new AtomicInteger();

    public final TestDatabase database = TestDatabase.create();
    public final Db db = database.db();
    public final SettableClock clock = new SettableClock(Instant.now());
    public final WorkerLease lease = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30));
    private final Path mails = Scratch.create("hiroba-test-mail");
    public final Mailer mailer;
    public final AuditLog audit = new AuditLog(db, lease.ids());
    private final Revocations revocations = new Revocations();
    public final Passwords passwords;
    public final Credentials credentials;
    public final Users users;
    public final PasswordCheck check;
    public final Sessions sessions;
    public final Tokens tokens;
    public final PasswordChange passwordChange;
    public final Codes codes;
    public final SignUp signUp;
    public final PasswordReset passwordReset;
    public final EmailChange emailChange;
    public final AiModels aiModels = new AiModels(db, clock, audit);
    public final AiActions aiActions = new AiActions(db, lease.ids());

    public TestAccounts() {
        this(CONFIG, MailConfig.DEFAULT.withLimits(new MailConfig.Limits(10_000, 10_000, 10_000)));
    }

    public TestAccounts(AccountsConfig config, MailConfig mail) {
        var ids = lease.ids();
        var throttle = new Throttle(db, clock);
        mailer = new Mailer(db, ids, mail, mails, new SimpleMeterRegistry());
        passwords = new Passwords(config.hashing());
        credentials = new Credentials(db, passwords);
        users = new Users(db, ids, clock, new EventLog(new CommitSignal()), audit, revocations);
        check = new PasswordCheck(credentials, throttle, config.limits());
        sessions = new Sessions(db, ids, clock, config.sessionLifetime(), check, audit, revocations);
        tokens = new Tokens(db, ids, clock, check, revocations);
        passwordChange = new PasswordChange(db, credentials, check, sessions, audit);
        codes = new Codes(db, clock, config.codes(), new CodeLimits(throttle, config.limits()), mailer);
        signUp = new SignUp(db, users, credentials, codes);
        passwordReset = new PasswordReset(db, users, credentials, sessions, audit, codes);
        emailChange = new EmailChange(db, users, check, audit, codes);
    }

    /** A live server with all routes of the feature. */
    public HttpServer serve() {
        return serve(HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(false, 1, 1)));
    }

    public HttpServer serve(HttpConfig http) {
        var authentication = new Authentication(sessions, tokens);
        var addresses = new ClientAddress(http.trustedProxies());
        var cursors = new Cursors(new Secrets(db));
        var idempotency = new Idempotency(db, clock);
        var cookie = new SessionCookie(http.isSecure(), CONFIG.sessionLifetime());
        return HttpServer.builder(http, db)
                .identity(authentication)
                .routes(
                        authentication,
                        new UserRoutes(users, credentials, idempotency, cursors, this::delete),
                        new AuditRoutes(audit, cursors),
                        new AiRoutes(aiModels, aiActions, idempotency, cursors),
                        new SessionRoutes(sessions, passwordChange, cookie, addresses, cursors),
                        new TokenRoutes(tokens, addresses, cursors),
                        new SignUpRoutes(signUp, passwordReset, emailChange, addresses))
                .build()
                .start();
    }

    private boolean delete(Caller caller, UserId user) {
        users.delete(caller, user);
        return true;
    }

    public Email freshEmail() {
        return new Email("user%d@example.org".formatted(COUNT.incrementAndGet()));
    }

    /** Somebody with {@link #PASSWORD}. */
    public UserId user(String nickname) {
        return user(freshEmail(), nickname, false);
    }

    public UserId admin() {
        return user(freshEmail(), "admin", true);
    }

    public UserId user(Email email, String nickname, boolean admin) {
        var hash = credentials.hash(new Password(PASSWORD));
        return db.inTransaction(tx -> users.create(tx, email, Nickname.parse(nickname), hash, admin));
    }

    public Email emailOf(UserId user) {
        return users.profile(user).user().email();
    }

    /** The user as if they had come by a session. */
    public Caller caller(UserId user) {
        return new Caller(user, users.profile(user).user().admin(), new Caller.BySession(new SessionId(1)), null);
    }

    /** As {@link #caller}, with a session that is there. */
    public Caller signedIn(UserId user) {
        var session = sessions.begin(client(), user).session();
        return new Caller(user, users.profile(user).user().admin(), new Caller.BySession(session), null);
    }

    public static Client client() {
        return new Client("192.0.2.1", "192.0.2.1", "test");
    }

    /** The code in the newest mail to the address. */
    public String codeFor(Email email) {
        var match = CODE.matcher(mailTo(email).text());
        assertThat(match.find()).as("a code in the mail").isTrue();
        return match.group();
    }

    public RecentMail mailTo(Email email) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(
                        () -> newest(email),
                        mail -> mail.filter(kept -> kept.sentAt() != null).isPresent())
                .orElseThrow();
    }

    private Optional<RecentMail> newest(Email email) {
        return mails(email).stream().findFirst();
    }

    public List<RecentMail> mails(Email email) {
        return mailer.recent(500).stream()
                .filter(mail -> mail.to().equals(email.value()))
                .toList();
    }

    /** A code of six digits that is not {@code code}. */
    public static String otherThan(String code) {
        return code.equals("000000") ? "000001" : "000000";
    }

    public int count(String sql) {
        return db.read(reads -> reads.query(sql).mapTo(Integer.class).one());
    }

    @Override
    public void close() {
        mailer.close();
        lease.close();
        database.close();
        Scratch.delete(mails);
    }
}
