package io.hiroba.accounts;

import com.github.benmanes.caffeine.cache.Ticker;
import io.hiroba.accounts.pages.AccountPages;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.accounts.pages.UserDirectory;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.grpc.CallAuthentication;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.Shell;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;

/** The accounts feature: users, sessions, API tokens, sign-up and the settings pages of an account. */
public final class AccountsModule implements FeatureModule {

    private static final Duration EXPIRY_SWEEP_INTERVAL = Duration.ofMinutes(10);

    private final Platform platform;
    private final RevocableStreams streams;
    private final AuditLog audit;
    private final Duration auditRetention;
    private final Users users;
    private final Credentials credentials;
    private final FirstAdmin firstAdmin;
    private final AdminAlerts alerts;
    private final KnownDevices devices;
    private final PasswordCheck passwordCheck;
    private final Sessions sessions;
    private final Tokens tokens;
    private final TokenReminders tokenReminders;
    private final Duration tokenLifetime;
    private final OAuthClients oauthClients;
    private final Apps apps;
    private final PasswordChange passwordChange;
    private final Suspensions suspensions;
    private final SessionCookie cookie;
    private final Authentication authentication;
    private final AppSecrets appSecrets;
    private final SecondFactors secondFactors;
    private final Passkeys passkeys;
    private final LogInSteps logInSteps;
    private final SecondFactorGate secondFactorGate;
    private final VerificationCodes codes;
    private final Invitations invitations;
    private final SignUp signUp;
    private final OidcLogIns oidc;
    private final PasswordReset passwordReset;
    private final EmailChange emailChange;
    private final AiUsage aiUsage;
    private final AiModels aiModels;
    private final AiActions aiActions;
    private final Readers readers;
    private final UserList userList;
    private final UserDirectory directory;

    public AccountsModule(Platform platform, AccountsConfig config) {
        this(platform, config, UserCounts.NONE, AiUsage.NONE);
    }

    /** With the counts that lists of users show, and what models were asked. */
    public AccountsModule(Platform platform, AccountsConfig config, UserCounts counts, AiUsage aiUsage) {
        this.platform = platform;
        this.aiUsage = aiUsage;
        var db = platform.db();
        var ids = platform.ids();
        var clock = platform.clock();
        var passwords = new Passwords(config.hashing());
        var revocations = new Revocations(platform.commits());
        streams = new RevocableStreams(db, clock, revocations);
        platform.streams()
                .guard((ctx, end) ->
                        Caller.find(ctx).map(caller -> streams.add(caller, end)).orElse(() -> {}));
        audit = new AuditLog(db);
        auditRetention = config.audit().retention();
        users = new Users(db, ids, clock, platform.events(), audit, revocations);
        credentials = new Credentials(db, passwords, config.passwordMinLength());
        firstAdmin = new FirstAdmin(db, users, credentials, audit);

        devices = new KnownDevices(
                db, clock, users, platform.mailer(), platform.http().isSecure());
        appSecrets = new AppSecrets(db, platform.encryption());
        var factorCheck = new FactorCheck(clock, users, audit, platform.mailer(), appSecrets);
        alerts = new AdminAlerts(db, users, platform.throttle(), platform.mailer(), config.alertFailures());
        audit.watch(alerts::recorded);
        var failures = new FailedLogIns(db, platform.throttle(), audit, alerts);
        passwordCheck = new PasswordCheck(
                db, credentials, devices, factorCheck, platform.throttle(), config.limits(), failures);
        boolean secure = platform.http().isSecure();
        var rules = new Sessions.SessionRules(config.sessionLifetime(), config.sessionMaxAge(), secure);
        sessions = new Sessions(db, ids, clock, rules, passwordCheck, audit, revocations);
        tokens = new Tokens(db, ids, clock, passwordCheck, audit, revocations, Ticker.systemTicker());
        tokenReminders = new TokenReminders(db, clock, users, platform.events(), platform.mailer());
        tokenLifetime = config.tokens().defaultLifetime();
        oauthClients = new OAuthClients(
                db, ids, clock, platform.throttle(), config.limits().signUpsPerHour());
        apps = new Apps(db, ids, clock, sessions, audit, revocations);
        suspensions = new Suspensions(db, clock, platform.events(), audit, revocations, sessions);
        cookie = new SessionCookie(secure, config.sessionLifetime(), devices);
        authentication = new Authentication(sessions, tokens, platform.addresses());
        secondFactors = new SecondFactors(db, ids, clock, factorCheck, sessions, revocations);
        var sites = new RelyingParties(db, users, platform.http().publicUrl());
        passkeys = new Passkeys(db, ids, clock, users, sites, secondFactors, sessions);
        logInSteps = new LogInSteps(db, clock, passwordCheck, factorCheck, sessions, passkeys);
        secondFactorGate = new SecondFactorGate(db, config.secondFactor(), revocations);

        codes = new VerificationCodes(db, clock, config, platform.throttle(), platform.mailer());
        passwordChange = new PasswordChange(db, users, credentials, passwordCheck, sessions, audit, codes);
        invitations = new Invitations(platform, config.signUp(), users, audit);
        signUp = new SignUp(db, users, credentials, audit, codes, config, invitations);
        oidc = new OidcLogIns(platform, config, users, sessions, invitations, audit);
        passwordReset = new PasswordReset(db, users, credentials, sessions, audit, codes);
        emailChange = new EmailChange(db, users, sessions, audit, codes);

        aiModels = new AiModels(db, clock, audit);
        aiActions = new AiActions(db, ids);
        readers = new Readers(users, clock, ZoneId.systemDefault());
        userList = new UserList(users, counts, platform.cursors());
        directory = new UserDirectory(users, readers, userList, suspensions);
    }

    @Override
    public List<Routes> routes() {
        var cursors = platform.cursors();
        var idempotency = platform.idempotency();
        var addresses = platform.addresses();
        return List.of(
                authentication,
                secondFactorGate,
                new SecondFactorRoutes(secondFactors),
                new UserRoutes(users, credentials, idempotency, userList, suspensions, sessions),
                new SuspensionRoutes(suspensions),
                new AuditRoutes(audit, cursors),
                new EncryptionKeyRoutes(platform.encryption(), audit),
                new SessionRoutes(sessions, passwordChange, cookie, devices, addresses, cursors),
                new TokenRoutes(tokens, tokenLifetime, sessions, addresses, cursors),
                new OAuthRoutes(oauthClients, apps, addresses, issuer(), cursors),
                new SignUpRoutes(signUp, passwordReset, emailChange, devices, addresses),
                new InvitationRoutes(invitations, cursors),
                new AiRoutes(aiModels, aiActions, idempotency, cursors));
    }

    @Override
    public List<Routes> pages(Shell shell) {
        var appPages = new AppPages(shell, readers, oauthClients, apps, sessions, users, issuer());
        return Stream.concat(AccountPages.of(shell, platform, this).stream(), Stream.of(appPages))
                .toList();
    }

    private OAuthIssuer issuer() {
        return new OAuthIssuer(platform.http().publicUrl());
    }

    @Override
    public List<String> crossSitePaths() {
        return OAuthRoutes.CROSS_SITE;
    }

    @Override
    public List<NavItem> navigation() {
        return AccountPages.navigation(this);
    }

    @Override
    public List<ExportPart> exports() {
        return List.of(AccountExportStore.part(platform.db()));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(streams);
        resources.add(WorkLoop.every(
                EXPIRY_SWEEP_INTERVAL, "expired sessions, tokens, codes, devices and audit entries", () -> {
                    sessions.sweep();
                    tokenReminders.run();
                    apps.sweep();
                    oauthClients.sweep();
                    codes.sweep();
                    devices.sweep();
                    logInSteps.sweep();
                    passkeys.sweep();
                    appSecrets.moveFormer();
                    invitations.sweep();
                    oidc.sweep();
                    audit.sweep(platform.clock().instant().minus(auditRetention));
                }));
    }

    public AuditLog audit() {
        return audit;
    }

    PasswordCheck passwordCheck() {
        return passwordCheck;
    }

    VerificationCodes codes() {
        return codes;
    }

    TokenReminders tokenReminders() {
        return tokenReminders;
    }

    AdminAlerts alerts() {
        return alerts;
    }

    OAuthClients oauthClients() {
        return oauthClients;
    }

    Apps apps() {
        return apps;
    }

    public AiActions aiActions() {
        return aiActions;
    }

    public Users users() {
        return users;
    }

    public Credentials credentials() {
        return credentials;
    }

    @Override
    public List<SearchSource> searchSources() {
        return List.of(new PeopleSearchSource(platform.db(), users));
    }

    public FirstAdmin firstAdmin() {
        return firstAdmin;
    }

    public Sessions sessions() {
        return sessions;
    }

    public Tokens tokens() {
        return tokens;
    }

    public Suspensions suspensions() {
        return suspensions;
    }

    /** How long a token lasts for whose end nothing was chosen. */
    public Duration tokenLifetime() {
        return tokenLifetime;
    }

    public PasswordChange passwordChange() {
        return passwordChange;
    }

    public SessionCookie sessionCookie() {
        return cookie;
    }

    public SecondFactors secondFactors() {
        return secondFactors;
    }

    /** Whether the caller has to add a second factor before anything else. */
    public boolean hasToAddSecondFactor(Caller caller) {
        return secondFactorGate.isKeptOut(caller);
    }

    public Passkeys passkeys() {
        return passkeys;
    }

    public LogInSteps logInSteps() {
        return logInSteps;
    }

    /** Identifies the callers of HTTP requests. */
    public Authentication authentication() {
        return authentication;
    }

    /** Identifies the callers of gRPC methods. */
    public CallAuthentication grpcAuthentication() {
        return new TokenInterceptor(tokens, streams, platform.addresses());
    }

    public Invitations invitations() {
        return invitations;
    }

    public OidcLogIns oidc() {
        return oidc;
    }

    public SignUp signUp() {
        return signUp;
    }

    public PasswordReset passwordReset() {
        return passwordReset;
    }

    public EmailChange emailChange() {
        return emailChange;
    }

    public AiUsage aiUsage() {
        return aiUsage;
    }

    public AiModels aiModels() {
        return aiModels;
    }

    public Readers readers() {
        return readers;
    }

    public UserDirectory directory() {
        return directory;
    }
}
