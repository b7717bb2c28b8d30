package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.platform.db.Db;
import java.util.Optional;

/** Changes a password, ends every other session of its owner and, unless they are to stay, the API tokens. */
public final class PasswordChange {

    private final Db db;
    private final Users users;
    private final Credentials credentials;
    private final PasswordCheck check;
    private final Sessions sessions;
    private final AuditLog audit;
    private final VerificationCodes codes;
    private final OidcStore identities = new OidcStore();
    private final UserStore accounts = new UserStore();

    PasswordChange(
            Db db,
            Users users,
            Credentials credentials,
            PasswordCheck check,
            Sessions sessions,
            AuditLog audit,
            VerificationCodes codes) {
        this.db = db;
        this.users = users;
        this.credentials = credentials;
        this.check = check;
        this.sessions = sessions;
        this.audit = audit;
        this.codes = codes;
    }

    /**
     * Sets {@code next}. Owners have to give {@code current}, or where the account has no password come by a session that was
     * confirmed lately, as by signing in with an identity provider or a passkey. An admin who sets another's gives their own,
     * unless they come by a token or their session was confirmed lately; all sessions and tokens of that account end then, for it may be in wrong hands.
     *
     * @param current the caller's own password
     * @param endTokens whether the owner's API tokens end as well
     */
    public void change(Caller caller, UserId user, Optional<String> current, Password next, boolean endTokens) {
        caller.requireOwnerOrAdmin(user);
        caller.requireNotActing();
        boolean own = caller.user().equals(user);
        var owner = users.profile(user).user();
        credentials.policy().require(next, owner.nickname(), owner.email());
        var given = current.orElse("");
        var confirmation = !own
                ? sessions.confirmAdmin(caller, given)
                : hasPassword(user) ? verified(user, given) : withoutPassword(caller);
        var hash = credentials.hash(next);
        db.useTransaction(tx -> {
            confirmation.require(tx);
            var address = credentials.set(tx, user, hash).orElseThrow(AccountsProblem::userNotFound);
            if (own) {
                sessions.endAll(tx, user, caller.session());
            } else {
                sessions.revokeAll(tx, user);
            }
            if (own && endTokens) {
                sessions.endTokens(tx, user);
            }
            audit.record(tx, caller, AuditLog.Action.PASSWORD_CHANGED, Target.of(user));
            codes.notifyOwner(tx, VerificationMails.passwordChanged(users.language(tx, user), address));
        });
    }

    /** Whether the account has a password; one that was made by an identity provider has none at first. */
    public boolean hasPassword(UserId user) {
        return db.read(reads -> identities.hasPassword(reads, user));
    }

    private Sessions.Confirmation withoutPassword(Caller caller) {
        var confirmed = sessions.confirm(caller, "");
        return tx -> {
            confirmed.require(tx);
            // Of two at once the second has to give the password of the first.
            accounts.lock(tx, caller.user());
            if (identities.hasPassword(tx, caller.user())) {
                throw AccountsProblem.wrongCurrentPassword();
            }
        };
    }

    private Sessions.Confirmation verified(UserId user, String password) {
        var known = check.verifyCurrent(user, password);
        return tx -> check.requireUnchanged(tx, known);
    }
}
