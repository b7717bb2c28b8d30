package io.hiroba.accounts.signup;

import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.signin.Client;
import io.hiroba.accounts.signin.Sessions;
import io.hiroba.platform.db.Db;

/** Setting a new password by a mailed code, which ends every session and every API token. */
public final class PasswordReset {

    private final Db db;
    private final Users users;
    private final Credentials credentials;
    private final Sessions sessions;
    private final AuditLog audit;
    private final Codes codes;

    public PasswordReset(Db db, Users users, Credentials credentials, Sessions sessions, AuditLog audit, Codes codes) {
        this.db = db;
        this.users = users;
        this.credentials = credentials;
        this.sessions = sessions;
        this.audit = audit;
        this.codes = codes;
    }

    /** Sends a code to an address that has an account; to any other nothing, with the same answer. */
    public CodeId start(Client client, Email email) {
        codes.admit(client, Purpose.PASSWORD_RESET, email);
        return db.inTransaction(tx -> {
            var known = users.findByEmail(tx, email);
            var pending = new Pending(CodeId.random(), Purpose.PASSWORD_RESET, email, known);
            return codes.send(tx, pending, code -> known.map(user -> CodeMails.passwordReset(email, code)));
        });
    }

    public void verify(CodeId id, String code, Password password) {
        var pending = codes.check(id, Purpose.PASSWORD_RESET, code);
        var user = pending.user().orElseThrow(AccountsProblem::codeExpired);
        var hash = credentials.hash(password);
        db.useTransaction(tx -> {
            codes.use(tx, pending);
            var address = credentials.set(tx, user, hash).orElseThrow(AccountsProblem::codeExpired);
            if (!address.equals(pending.email())) {
                throw AccountsProblem.codeExpired();
            }
            sessions.lockOut(tx, user);
            audit.record(tx, user, AuditLog.Action.PASSWORD_RESET, user);
            codes.warn(tx, CodeMails.passwordChanged(address));
        });
    }
}
