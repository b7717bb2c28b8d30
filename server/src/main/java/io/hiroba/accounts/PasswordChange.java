package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import java.util.Optional;

/** Changes a password and ends every other session of its owner. */
public final class PasswordChange {

    private final Db db;
    private final Users users;
    private final Credentials credentials;
    private final PasswordCheck check;
    private final Sessions sessions;
    private final AuditLog audit;

    PasswordChange(
            Db db, Users users, Credentials credentials, PasswordCheck check, Sessions sessions, AuditLog audit) {
        this.db = db;
        this.users = users;
        this.credentials = credentials;
        this.check = check;
        this.sessions = sessions;
        this.audit = audit;
    }

    /**
     * Sets {@code next}. Owners have to give {@code current}; an admin need not for another user's account.
     */
    public void change(Caller caller, UserId user, Optional<String> current, Password next) {
        caller.requireOwnerOrAdmin(user);
        caller.requireNotActing();
        boolean own = caller.user().equals(user);
        var owner = users.profile(user).user();
        credentials.policy().require(next, owner.nickname(), owner.email());
        var verified = own
                ? Optional.of(check.verifyCurrent(user, current.orElse("")))
                : Optional.<Credentials.Verified>empty();
        var hash = credentials.hash(next);
        Optional<SessionId> remaining = own ? caller.session() : Optional.empty();
        db.useTransaction(tx -> {
            verified.ifPresent(known -> check.requireUnchanged(tx, known));
            if (credentials.set(tx, user, hash).isEmpty()) {
                throw AccountsProblem.userNotFound();
            }
            sessions.endAll(tx, user, remaining);
            audit.record(tx, caller.actor(), AuditLog.Action.PASSWORD_CHANGED, user);
        });
    }
}
