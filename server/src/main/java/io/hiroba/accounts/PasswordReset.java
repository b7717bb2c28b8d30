package io.hiroba.accounts;

import io.hiroba.accounts.PendingVerification.CodePurpose;
import io.hiroba.platform.db.Db;

/** Sets a new password with a mailed code and ends every session and API token. */
public final class PasswordReset {

    private final Db db;
    private final Users users;
    private final Credentials credentials;
    private final Sessions sessions;
    private final AuditLog audit;
    private final VerificationCodes codes;

    PasswordReset(
            Db db, Users users, Credentials credentials, Sessions sessions, AuditLog audit, VerificationCodes codes) {
        this.db = db;
        this.users = users;
        this.credentials = credentials;
        this.sessions = sessions;
        this.audit = audit;
        this.codes = codes;
    }

    /** The minutes that a code is good for. */
    public int codeMinutes() {
        return codes.minutes();
    }

    /** Sends a code to an address that has an account; any other gets none, with the same answer. */
    public CodeId start(ClientInfo client, Email email) {
        codes.admit(client, CodePurpose.PASSWORD_RESET, email);
        return db.inTransaction(tx -> {
            var known = users.findByEmail(tx, email);
            var pending = new PendingVerification(CodeId.random(), CodePurpose.PASSWORD_RESET, email, known);
            return codes.send(
                    tx,
                    pending,
                    code -> known.map(user -> VerificationMails.passwordReset(client.language(), email, code)));
        });
    }

    /** Sets the password; returns whose it is. */
    public UserId verify(ClientInfo client, CodeId id, String code, Password password) {
        // Before the code is tried: a password that is refused costs no attempt, and tells nothing of the account.
        codes.address(id, CodePurpose.PASSWORD_RESET)
                .ifPresent(email -> credentials.policy().require(password, email));
        var pending = codes.check(id, CodePurpose.PASSWORD_RESET, code);
        var user = pending.user()
                .flatMap(users::find)
                .orElseThrow(AccountsProblem::codeExpired)
                .user();
        var hash = credentials.hashChosen(password, user.nickname(), user.email());
        db.useTransaction(tx -> {
            codes.use(tx, pending);
            var address = credentials.set(tx, user.id(), hash).orElseThrow(AccountsProblem::codeExpired);
            if (!address.equals(pending.email())) {
                throw AccountsProblem.codeExpired();
            }
            sessions.revokeAll(tx, user.id());
            var target = AuditLog.Target.of(user.id());
            audit.record(tx, user.id(), client.origin(), AuditLog.Action.PASSWORD_RESET, target);
            codes.notifyOwner(tx, VerificationMails.passwordChanged(users.language(tx, user.id()), address));
        });
        return user.id();
    }
}
