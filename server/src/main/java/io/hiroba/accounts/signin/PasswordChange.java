package io.hiroba.accounts.signin;

import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import java.util.Optional;

/** Changing a password, which ends every other session of its owner. */
public final class PasswordChange {

    private final Db db;
    private final Credentials credentials;
    private final PasswordCheck check;
    private final Sessions sessions;
    private final AuditLog audit;

    public PasswordChange(Db db, Credentials credentials, PasswordCheck check, Sessions sessions, AuditLog audit) {
        this.db = db;
        this.credentials = credentials;
        this.check = check;
        this.sessions = sessions;
        this.audit = audit;
    }

    /**
     * Sets {@code next}. Owners show that they know {@code current}; an admin need not for somebody else's account.
     */
    public void change(Caller caller, UserId user, Optional<String> current, Password next) {
        caller.requireOwnerOrAdmin(user);
        caller.requireNotActing();
        boolean own = caller.user().equals(user);
        var verified =
                own ? Optional.of(check.verifyOwn(user, current.orElse(""))) : Optional.<Credentials.Verified>empty();
        var hash = credentials.hash(next);
        Optional<SessionId> kept = own ? caller.session() : Optional.empty();
        db.useTransaction(tx -> {
            verified.ifPresent(known -> check.requireStill(tx, known));
            if (credentials.set(tx, user, hash).isEmpty()) {
                throw AccountsProblem.userNotFound();
            }
            sessions.endAll(tx, user, kept);
            audit.record(tx, caller.actor(), AuditLog.Action.PASSWORD_CHANGED, user);
        });
    }
}
