package io.hiroba.accounts;

import com.github.benmanes.caffeine.cache.Ticker;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.CallerCache.ResolvedCaller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.RetentionSweep;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Starts, confirms, resolves, lists, switches and ends sessions. */
public final class Sessions {

    /** How long nobody is asked for the password again. */
    static final Duration CONFIRMED_FOR = Duration.ofMinutes(10);

    private static final Duration LOG_INS_KEPT = Duration.ofDays(90);

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final SessionRules rules;
    private final PasswordCheck check;
    private final AuditLog audit;
    private final Revocations revocations;
    private final CallerCache cache;
    private final SessionStore store = new SessionStore();
    private final TokenStore tokens = new TokenStore();
    private final AppStore apps = new AppStore();
    private final KnownDeviceStore devices = new KnownDeviceStore();
    private final SuspensionStore suspensions = new SuspensionStore();
    private final OidcStore identities = new OidcStore();
    private final LastUseRecorder lastUse = new LastUseRecorder();

    /**
     * The ends of sessions, and the kind of their secrets.
     *
     * @param lifetime after the last use
     * @param maxAge after the log-in
     * @param secure whether people reach the server through TLS only
     */
    record SessionRules(Duration lifetime, Duration maxAge, boolean secure) {

        BearerSecret secret() {
            return BearerSecret.random(secure ? BearerSecret.HOST_SESSION : BearerSecret.SESSION);
        }
    }

    Sessions(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            SessionRules rules,
            PasswordCheck check,
            AuditLog audit,
            Revocations revocations) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.rules = rules;
        this.check = check;
        this.audit = audit;
        this.revocations = revocations;
        this.cache = new CallerCache(revocations, Ticker.systemTicker());
    }

    /**
     * Starts a session; 401 if the password is wrong or the account has a second factor, 403 if it is suspended, 429 after too many
     * attempts.
     */
    public StartedSession logIn(ClientInfo client, Email email, String password) {
        return logIn(client, email, password, "");
    }

    /**
     * As above, with a second factor where the account has one.
     *
     * @param code of the authenticator app or a recovery code; empty if it was not given
     */
    public StartedSession logIn(ClientInfo client, Email email, String password, String code) {
        return check.authenticate(client, email, password, code, (tx, user) -> logIn(tx, client, user));
    }

    /** Starts a session for a user whose password or passkey, and second factor, are known to be right in {@code tx}. */
    StartedSession logIn(Tx tx, ClientInfo client, UserId user) {
        var started = begin(tx, client, user);
        store.insertLogIn(tx, user, new LogIn(started.session(), client.address(), client.agent()));
        return started;
    }

    /**
     * Starts a session in the caller's transaction for a user whom an identity provider has authenticated. It is not confirmed
     * where there is a password: the provider may not have asked the person anything.
     */
    StartedSession logInByProvider(Tx tx, ClientInfo client, UserId user) {
        var started = begin(tx, client, user);
        if (identities.hasPassword(tx, user)) {
            store.confirm(tx, started.session(), null);
        }
        store.insertLogIn(tx, user, new LogIn(started.session(), client.address(), client.agent()));
        return started;
    }

    /** Starts a session for a user who was authenticated otherwise, as by signing up. */
    public StartedSession begin(ClientInfo client, UserId user) {
        return db.inTransaction(tx -> begin(tx, client, user));
    }

    private StartedSession begin(Tx tx, ClientInfo client, UserId user) {
        var secret = rules.secret();
        var now = clock.instant();
        suspensions.requireNone(tx, user, now);
        var id = new SessionId(ids.next());
        var session = new UserSession(id, user, null, client.address(), client.agent(), now, expiry(id, now));
        store.insert(tx, session, secret);
        var caller = new Caller(user, false, new Caller.BySession(session.id()), null, client.origin());
        audit.record(tx, caller, AuditLog.Action.LOGGED_IN, target(user, session.id()));
        return new StartedSession(session.id(), session.user(), secret.text());
    }

    private static Target target(UserId user, SessionId id) {
        return Target.of(TargetKind.SESSION, id.hex(), null, user);
    }

    /** A proof that the caller is who they were when they signed in. */
    @FunctionalInterface
    public interface Confirmation {

        /** The lack of one. */
        Confirmation NONE = tx -> {
            throw AccountsProblem.passwordRequired();
        };

        /** Fails unless it holds until {@code tx}, the transaction of what it is for, ends. */
        void require(Tx tx);
    }

    /**
     * Confirms who calls before something that outlives the session or cannot be undone: by the password, which confirms the
     * session for a while, or by a session that was confirmed within {@link #CONFIRMED_FOR}. A token is no confirmation. A second
     * factor is not asked for: the session was begun with it.
     *
     * @param password of the person behind the call; empty if it was not given
     */
    public Confirmation confirm(Caller caller, String password) {
        if (password.isEmpty()) {
            return tx -> requireConfirmed(tx, caller);
        }
        var verified = check.verifyCurrent(caller.actor(), password);
        caller.session().ifPresent(id -> db.useTransaction(tx -> store.confirm(tx, id, clock.instant())));
        return tx -> check.requireUnchanged(tx, verified);
    }

    /**
     * As {@link #confirm(Caller, String)}, before an admin changes how others sign in. A token needs none: it was made for a program
     * that keeps accounts, which has no password to give, and has the scope for that.
     */
    public Confirmation confirmAdmin(Caller caller, String password) {
        return caller.session().isEmpty() && password.isEmpty() ? tx -> {} : confirm(caller, password);
    }

    /** Confirms a session whose owner has just been authenticated otherwise, as by a passkey. */
    void confirm(Tx tx, SessionId session) {
        store.confirm(tx, session, clock.instant());
    }

    private void requireConfirmed(Tx tx, Caller caller) {
        var since = clock.instant().minus(CONFIRMED_FOR);
        var confirmed = caller.session().flatMap(id -> store.lock(tx, caller.user(), id, since));
        if (!confirmed.orElse(false)) {
            throw AccountsProblem.passwordRequired();
        }
    }

    /** Whether the caller's session was confirmed so lately that the password need not be given again. */
    public boolean isConfirmed(Caller caller) {
        var since = clock.instant().minus(CONFIRMED_FOR);
        return caller.session()
                .filter(id -> db.read(reads -> store.isConfirmed(reads, id, since)))
                .isPresent();
    }

    /** The caller whose session has this secret. */
    Optional<Caller> resolve(BearerSecret secret) {
        return resolve(secret, () -> {});
    }

    /** As {@link #resolve(BearerSecret)}; {@code prolonged} is run when this use extends the session. */
    Optional<Caller> resolve(BearerSecret secret, Runnable prolonged) {
        if (!secret.isSession()) {
            return Optional.empty();
        }
        var now = clock.instant();
        var used = cache.find(
                secret, now, () -> db.read(reads -> store.use(reads, secret, now, now.minus(rules.maxAge()))));
        used.filter(use -> lastUse.record(use.id(), use.before(), now, () -> recordUse(new SessionId(use.id()))))
                .ifPresent(use -> prolonged.run());
        return used.map(ResolvedCaller::caller);
    }

    private void recordUse(SessionId id) {
        var now = clock.instant();
        db.useTransaction(tx -> store.recordUse(tx, id, now, expiry(id, now)));
    }

    /** The end of a session that is used at {@code now} for the last time. */
    private Instant expiry(SessionId id, Instant now) {
        var unused = now.plus(rules.lifetime());
        var last = id.createdAt().plus(rules.maxAge());
        return unused.isBefore(last) ? unused : last;
    }

    /** Ends the session of this call. */
    public void logOut(Caller caller) {
        var id = caller.session().orElseThrow(AccountsProblem::sessionRequired);
        db.useTransaction(tx -> {
            store.delete(tx, caller.user(), id);
            audit.record(tx, caller, AuditLog.Action.LOGGED_OUT, target(caller.user(), id));
            revocations.after(tx, caller.user());
        });
    }

    /** The caller's sessions, newest first; {@code before} is the last one seen. */
    public List<UserSession> list(Caller caller, Optional<SessionId> before, int limit) {
        return list(caller, caller.user(), before, limit);
    }

    /** As above, of any user for an admin. */
    public List<UserSession> list(Caller caller, UserId user, Optional<SessionId> before, int limit) {
        caller.requireOwnerOrAdmin(user);
        long bound = before.map(SessionId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, user, bound, limit, clock.instant()));
    }

    /** The caller's log-ins of the last 90 days, newest first; {@code before} is the last one seen. */
    public List<LogIn> logIns(Caller caller, Optional<SessionId> before, int limit) {
        long bound = before.map(SessionId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.logIns(reads, caller.user(), bound, limit));
    }

    /** Ends one of the caller's sessions. */
    public void revoke(Caller caller, SessionId id) {
        revoke(caller, caller.user(), id);
    }

    /** As above, of any user for an admin. */
    public void revoke(Caller caller, UserId user, SessionId id) {
        caller.requireOwnerOrAdmin(user);
        db.useTransaction(tx -> {
            if (!store.delete(tx, user, id)) {
                throw AccountsProblem.sessionNotFound();
            }
            audit.record(tx, caller, AuditLog.Action.SESSION_ENDED, target(user, id));
            revocations.after(tx, user);
        });
    }

    /**
     * Lets an admin act as another user, with that user's rights, or return by naming themselves. The former cookie becomes
     * invalid.
     */
    public StartedSession switchUser(Caller caller, UserId to) {
        var id = caller.session().orElseThrow(AccountsProblem::sessionRequired);
        boolean back = caller.acting() && to.equals(caller.actor());
        if (!caller.acting()) {
            caller.requireAdmin();
        }
        var secret = rules.secret();
        db.useTransaction(tx -> {
            if (suspensions.isSuspended(tx, to, clock.instant())) {
                throw AccountsProblem.userSuspended();
            }
            if (!store.switchUser(tx, caller, id, to, secret)) {
                throw AccountsProblem.userNotFound();
            }
            var action = back ? AuditLog.Action.USER_SWITCHED_BACK : AuditLog.Action.USER_SWITCHED;
            audit.record(tx, caller, action, Target.of(back ? caller.user() : to));
            revocations.after(tx, caller.user());
        });
        return new StartedSession(id, to, secret.text());
    }

    /** Ends all sessions of the user but one, in the caller's transaction. */
    public void endAll(Tx tx, UserId user, Optional<SessionId> except) {
        store.deleteAll(tx, user, except);
        revocations.after(tx, user);
    }

    /** Ends all API tokens of the user and disconnects the apps, in the caller's transaction. */
    public void endTokens(Tx tx, UserId user) {
        apps.deleteAll(tx, user);
        tokens.deleteAll(tx, user);
        revocations.after(tx, user);
    }

    /**
     * Ends all sessions and API tokens of the user, forgets the devices and unlinks the identities, in the caller's transaction:
     * whoever had the account may have linked one of their own.
     */
    public void revokeAll(Tx tx, UserId user) {
        identities.deleteAll(tx, user);
        devices.deleteAllBut(tx, user, 0);
        endAll(tx, user, Optional.empty());
        endTokens(tx, user);
    }

    /** Deletes expired sessions and old log-ins. */
    void sweep() {
        RetentionSweep.run(limit ->
                db.inTransaction(tx -> store.deleteLogIns(tx, clock.instant().minus(LOG_INS_KEPT), limit)));
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteExpired(tx, clock.instant(), limit)));
    }

    /** A log-in with a password, a passkey or an identity provider, by the session that it began. */
    public record LogIn(SessionId id, String address, String agent) {

        public Instant at() {
            return id.createdAt();
        }
    }

    /** A session that was just started or switched, with the secret for the cookie, which is not stored. */
    public record StartedSession(SessionId session, UserId user, String secret) {

        @Override
        public String toString() {
            return "SignedIn[session=%s, user=%s]".formatted(session, user);
        }
    }
}
