package io.hiroba.accounts;

import io.hiroba.accounts.PendingVerification.CodePurpose;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Language;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Signs people up, with a code that verifies their address. */
public final class SignUp {

    private final Db db;
    private final Users users;
    private final Credentials credentials;
    private final VerificationCodes codes;
    private final SignUpRules rules;

    SignUp(Db db, Users users, Credentials credentials, VerificationCodes codes, SignUpRules rules) {
        this.db = db;
        this.users = users;
        this.credentials = credentials;
        this.codes = codes;
        this.rules = rules;
    }

    /** The configuration of who can sign up. */
    public SignUpRules rules() {
        return rules;
    }

    /** Sends a code. An address that has an account gets a mail that says so, and the answer is the same. */
    public CodeId start(ClientInfo client, Email email) {
        rules.require(email);
        codes.admit(client, CodePurpose.SIGN_UP, email);
        return db.inTransaction(tx -> {
            var known = users.findByEmail(tx, email);
            var pending = new PendingVerification(CodeId.random(), CodePurpose.SIGN_UP, email, Optional.empty());
            return codes.send(
                    tx,
                    pending,
                    code -> Optional.of(
                            known.isPresent()
                                    ? VerificationMails.accountExists(client.language(), email)
                                    : VerificationMails.signUp(client.language(), email, code)));
        });
    }

    /** Creates the account; {@code accounts.email-taken} if another sign-up with the address came first. */
    public UserId verify(CodeId id, String code, Nickname nickname, Password password, Preferences preferences) {
        // Before the code is tried, so that a password that is refused costs no attempt.
        codes.address(id, CodePurpose.SIGN_UP).ifPresent(email -> {
            rules.require(email);
            credentials.policy().require(password, nickname, email);
        });
        var pending = codes.check(id, CodePurpose.SIGN_UP, code);
        var hash = credentials.hash(password);
        return db.inTransaction(tx -> {
            codes.use(tx, pending);
            var user = users.create(tx, pending.email(), nickname, hash, false);
            users.setPreferences(tx, user, preferences);
            return user;
        });
    }

    /**
     * The language and the time zone of a new account, as far as its browser or program tells them.
     *
     * @param language null for none in particular
     * @param timeZone null for none in particular
     */
    public record Preferences(
            @Nullable Language language, @Nullable ZoneId timeZone) {}
}
