package io.hiroba.accounts.signin;

import com.github.benmanes.caffeine.cache.Ticker;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Revocations;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Browsers that are signed in: begun, listed, switched and ended. */
public final class Sessions {

    private static final int SWEEP_BATCH = 1000;

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final Duration lifetime;
    private final PasswordCheck check;
    private final AuditLog audit;
    private final Revocations revocations;
    private final RecentUses recent;
    private final SessionStore store = new SessionStore();
    private final TokenStore tokens = new TokenStore();
    private final LastUse lastUse = new LastUse();

    public Sessions(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            Duration lifetime,
            PasswordCheck check,
            AuditLog audit,
            Revocations revocations) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.lifetime = lifetime;
        this.check = check;
        this.audit = audit;
        this.revocations = revocations;
        this.recent = new RecentUses(revocations, Ticker.systemTicker());
    }

    /** Begins a session; 401 if the password is wrong, 429 if it was tried too often. */
    public SignedIn logIn(Client client, Email email, String password) {
        var verified = check.verify(client, email, password);
        return db.inTransaction(tx -> {
            check.requireStill(tx, verified);
            return begin(tx, client, verified.user());
        });
    }

    /** Begins a session for somebody who has just shown in another way who they are, as by signing up. */
    public SignedIn begin(Client client, UserId user) {
        return db.inTransaction(tx -> begin(tx, client, user));
    }

    private SignedIn begin(Tx tx, Client client, UserId user) {
        var secret = Secret.random(Secret.SESSION);
        var now = clock.instant();
        var session = new Session(
                new SessionId(ids.next()), user, null, client.address(), client.agent(), now, now.plus(lifetime));
        store.insert(tx, session, secret);
        return new SignedIn(session.id(), session.user(), secret.text());
    }

    /** Whose session this secret opens. */
    Optional<Caller> resolve(Secret secret) {
        return resolve(secret, () -> {});
    }

    /** As {@link #resolve(Secret)}; {@code prolonged} is run when this use puts off the session's end. */
    Optional<Caller> resolve(Secret secret, Runnable prolonged) {
        if (!secret.isPlausible(Secret.SESSION)) {
            return Optional.empty();
        }
        var now = clock.instant();
        var used = recent.find(secret, now, () -> db.read(reads -> store.use(reads, secret, now)));
        used.filter(use -> lastUse.note(use.id(), use.before(), now, () -> stamp(use.id())))
                .ifPresent(use -> prolonged.run());
        return used.map(Used::caller);
    }

    private void stamp(long id) {
        var now = clock.instant();
        db.useTransaction(tx -> store.stamp(tx, id, now, now.plus(lifetime)));
    }

    /** Ends the session of this call. */
    public void logOut(Caller caller) {
        var id = caller.session().orElseThrow(AccountsProblem::sessionRequired);
        db.useTransaction(tx -> {
            store.delete(tx, caller.user(), id);
            revocations.after(tx);
        });
    }

    /** The caller's sessions, newest first; {@code before} is the last one seen. */
    public List<Session> list(Caller caller, Optional<SessionId> before, int limit) {
        long bound = before.map(SessionId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, caller.user(), bound, limit, clock.instant()));
    }

    /** Ends one of the caller's sessions. */
    public void revoke(Caller caller, SessionId id) {
        db.useTransaction(tx -> {
            if (!store.delete(tx, caller.user(), id)) {
                throw AccountsProblem.sessionNotFound();
            }
            revocations.after(tx);
        });
    }

    /**
     * Lets an admin act as another user, with that user's rights, or come back by naming themselves. The old cookie opens
     * nothing any more.
     */
    public SignedIn switchUser(Caller caller, UserId to) {
        var id = caller.session().orElseThrow(AccountsProblem::sessionRequired);
        boolean back = caller.acting() && to.equals(caller.actor());
        if (!caller.acting()) {
            caller.requireAdmin();
        }
        var secret = Secret.random(Secret.SESSION);
        db.useTransaction(tx -> {
            if (!store.switchUser(tx, caller, id, to, secret)) {
                throw AccountsProblem.userNotFound();
            }
            var action = back ? AuditLog.Action.USER_SWITCHED_BACK : AuditLog.Action.USER_SWITCHED;
            audit.record(tx, caller.actor(), action, back ? caller.user() : to);
            revocations.after(tx);
        });
        return new SignedIn(id, to, secret.text());
    }

    /** Ends all sessions of the user but one, in the caller's transaction. */
    public void endAll(Tx tx, UserId user, Optional<SessionId> except) {
        store.deleteAll(tx, user, except);
        revocations.after(tx);
    }

    /** Ends every way into the account, the sessions and the API tokens, in the caller's transaction. */
    public void lockOut(Tx tx, UserId user) {
        endAll(tx, user, Optional.empty());
        tokens.deleteAll(tx, user);
    }

    /** Removes sessions that have run out. */
    public void sweep() {
        while (db.inTransaction(tx -> store.sweep(tx, clock.instant(), SWEEP_BATCH)) == SWEEP_BATCH) {
            Thread.onSpinWait();
        }
    }
}
