package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Suspends and restores accounts. A suspended account has no sessions and can begin none, and its tokens resolve to nobody; what
 * it wrote stays. Where sessions begin and callers are resolved, the columns of the account decide (ADR 76).
 */
public final class Suspensions {

    /** The event of a suspension, with the {@code userId}. */
    public static final String SUSPENDED = "user-suspended";

    private final Db db;
    private final InstantSource clock;
    private final EventLog events;
    private final AuditLog audit;
    private final Revocations revocations;
    private final Sessions sessions;
    private final UserStore users = new UserStore();
    private final SuspensionStore store = new SuspensionStore();

    Suspensions(
            Db db, InstantSource clock, EventLog events, AuditLog audit, Revocations revocations, Sessions sessions) {
        this.db = db;
        this.clock = clock;
        this.events = events;
        this.audit = audit;
        this.revocations = revocations;
        this.sessions = sessions;
    }

    /** Suspends an account, or changes how it is suspended: not one's own, and so never that of the last admin. */
    public void suspend(Caller caller, UserId user, NewSuspension suspension) {
        requireRights(caller);
        if (user.equals(caller.user())) {
            throw AccountsProblem.ownSuspension();
        }
        var now = clock.instant();
        var until = suspension.until();
        if (until != null && !until.isAfter(now)) {
            throw AccountsProblem.invalid("until", Text.of("accounts.field.past"));
        }
        db.useTransaction(tx -> {
            // Admins before the account, as wherever both are locked. The caller may have been suspended meanwhile.
            if (!users.lockAdmins(tx, now).contains(caller.user())) {
                throw AccountsProblem.adminOnly();
            }
            if (!store.suspend(tx, user, suspension, caller.actor(), now)) {
                throw AccountsProblem.userNotFound();
            }
            sessions.endAll(tx, user, Optional.empty());
            if (suspension.endTokens()) {
                sessions.endTokens(tx, user);
            }
            audit.record(tx, caller, AuditLog.Action.USER_SUSPENDED, AuditLog.Target.of(user));
            events.append(tx, NewEvent.of(user.value(), SUSPENDED).with("userId", user.hex()));
        });
    }

    /** Ends a suspension: the owner can log in again, and the tokens that are left work. */
    public void restore(Caller caller, UserId user) {
        requireRights(caller);
        db.useTransaction(tx -> {
            if (users.lock(tx, user).isEmpty()) {
                throw AccountsProblem.userNotFound();
            }
            if (!store.restore(tx, user, clock.instant())) {
                throw AccountsProblem.notSuspended();
            }
            audit.record(tx, caller, AuditLog.Action.USER_RESTORED, AuditLog.Target.of(user));
            revocations.after(tx, user);
        });
    }

    private static void requireRights(Caller caller) {
        caller.requireAdmin();
        caller.requireNotActing();
    }

    /** The statuses of accounts, for an admin. */
    public Map<UserId, AccountStatus> statuses(Caller caller, Collection<UserId> users) {
        caller.requireAdmin();
        return db.read(reads -> store.statuses(reads, users, clock.instant()));
    }

    /** As {@link #statuses}, of one account. */
    public AccountStatus status(Caller caller, UserId user) {
        return statuses(caller, List.of(user)).getOrDefault(user, AccountStatus.UNKNOWN);
    }

    /**
     * A suspension to begin.
     *
     * @param reason for other admins
     * @param until when it is over; null if somebody has to end it
     * @param endTokens whether the API tokens end for good
     */
    public record NewSuspension(String reason, @Nullable Instant until, boolean endTokens) {

        private static final int MAX_REASON = 500;
        private static final Instant MAX_UNTIL = Instant.parse("9999-01-01T00:00:00Z");

        public NewSuspension {
            reason = reason.strip();
            if (reason.codePointCount(0, reason.length()) > MAX_REASON) {
                throw AccountsProblem.invalid("reason", Text.of("accounts.field.too-long", "max", MAX_REASON));
            }
            if (until != null && until.isAfter(MAX_UNTIL)) {
                throw AccountsProblem.invalid("until", Text.of("accounts.field.too-far"));
            }
        }
    }

    /**
     * A suspension in effect.
     *
     * @param until when it is over; null if somebody has to end it
     * @param by the admin
     */
    public record Suspension(Instant at, @Nullable Instant until, UserId by, String reason) {}

    /**
     * The state of an account that only admins see.
     *
     * @param lastSeenAt when a session or token was last used, as far as is known
     */
    public record AccountStatus(
            @Nullable Suspension suspension, @Nullable Instant lastSeenAt) {

        /** Nothing that would be told. */
        public static final AccountStatus UNKNOWN = new AccountStatus(null, null);
    }
}
