package io.hiroba.accounts.signup;

import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.Password;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.signin.Client;
import io.hiroba.platform.db.Db;
import java.util.Optional;

/** Making an account of one's own, for which the address must be shown to be one's own. */
public final class SignUp {

    private final Db db;
    private final Users users;
    private final Credentials credentials;
    private final Codes codes;

    public SignUp(Db db, Users users, Credentials credentials, Codes codes) {
        this.db = db;
        this.users = users;
        this.credentials = credentials;
        this.codes = codes;
    }

    /** Sends a code. Who has an account already gets a mail that says so, and the answer here is the same. */
    public CodeId start(Client client, Email email) {
        codes.admit(client, Purpose.SIGN_UP, email);
        return db.inTransaction(tx -> {
            var known = users.findByEmail(tx, email);
            var pending = new Pending(CodeId.random(), Purpose.SIGN_UP, email, Optional.empty());
            return codes.send(
                    tx,
                    pending,
                    code -> Optional.of(
                            known.isPresent() ? CodeMails.alreadyKnown(email) : CodeMails.signUp(email, code)));
        });
    }

    /** Makes the account; {@code accounts.email-taken} if another sign-up with the address came first. */
    public UserId verify(CodeId id, String code, Nickname nickname, Password password) {
        var pending = codes.check(id, Purpose.SIGN_UP, code);
        var hash = credentials.hash(password);
        return db.inTransaction(tx -> {
            codes.use(tx, pending);
            return users.create(tx, pending.email(), nickname, hash, false);
        });
    }
}
