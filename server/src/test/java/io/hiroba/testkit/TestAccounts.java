package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.AccountsConfig;
import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.AiModels;
import io.hiroba.accounts.AuditEntry;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.ClientInfo;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.EmailChange;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.PasswordChange;
import io.hiroba.accounts.PasswordReset;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.SignUp;
import io.hiroba.accounts.Suspensions.NewSuspension;
import io.hiroba.accounts.Tokens;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.mail.RecentMail;
import io.javalin.http.Context;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

    private static final HttpConfig HTTP = HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(false, 1, 1));
    private static final Pattern CODE = Pattern.compile("\\b\\d{6}\\b");
    private static final AtomicInteger COUNT = new AtomicInteger();

    public final TestDatabase database = TestDatabase.create();
    public final Db db = database.db();
    public final SettableClock clock = new SettableClock(Instant.now());
    public final WorkerLease lease = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30));
    private final Path mails = Scratch.create("hiroba-test-mail");
    public final Mailer mailer;
    private final AccountsConfig config;
    public final AccountsModule module;
    public final Credentials credentials;
    public final Users users;
    public final Sessions sessions;
    public final Tokens tokens;
    public final PasswordChange passwordChange;
    public final SignUp signUp;
    public final PasswordReset passwordReset;
    public final EmailChange emailChange;
    public final AiModels aiModels;

    public TestAccounts() {
        this(CONFIG, MailConfig.DEFAULT.withLimits(new MailConfig.Limits(10_000, 10_000, 10_000)));
    }

    public TestAccounts(AccountsConfig config, MailConfig mail) {
        this.config = config;
        mailer = new Mailer(db, lease.ids(), mail, mails, new SimpleMeterRegistry());
        module = module(HTTP);
        credentials = module.credentials();
        users = module.users();
        sessions = module.sessions();
        tokens = module.tokens();
        passwordChange = module.passwordChange();
        signUp = module.signUp();
        passwordReset = module.passwordReset();
        emailChange = module.emailChange();
        aiModels = module.aiModels();
    }

    private AccountsModule module(HttpConfig http) {
        return new AccountsModule(TestPlatform.of(db, database.config(), lease.ids(), clock, mailer, http), config);
    }

    /** A live server with all routes of the feature. */
    public HttpServer serve() {
        return serve(HTTP, module);
    }

    /** As {@link #serve()}, by a module of its own, whose cache of callers is not this one's. */
    public HttpServer serve(HttpConfig http) {
        return serve(http, module(http));
    }

    private HttpServer serve(HttpConfig http, AccountsModule served) {
        return HttpServer.builder(http, db)
                .identity(served.authentication())
                .routes(served.routes())
                .routes(routes -> routes.delete("/api/v1/users/{id}", this::delete))
                .build()
                .start();
    }

    /** At once, since there is no other feature that holds something of the account. */
    private void delete(Context ctx) {
        users.delete(Caller.of(ctx), UserId.parse(ctx.pathParam("id")));
        ctx.status(204);
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

    /** Suspends the account of {@code user}, until it is restored. */
    public void suspend(UserId user) {
        module.suspensions().suspend(caller(admin()), user, new NewSuspension("", null, false));
    }

    public Email emailOf(UserId user) {
        return users.profile(user).user().email();
    }

    /** The entries of the audit log about this action, newest first. */
    public List<AuditEntry> audited(AuditLog.Action action) {
        var filters = Map.of("action", action.code());
        return new AuditLog(db).list(Caller.server(new UserId(0)), filters, Optional.empty(), 100);
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

    public static ClientInfo client() {
        return new ClientInfo("192.0.2.1", "192.0.2.1", "test", Language.ENGLISH);
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
