package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.util.Optional;

/** The passwords of the accounts: checked, renewed and set. */
public final class Credentials {

    private final Db db;
    private final Passwords passwords;
    private final CredentialStore store = new CredentialStore();
    private final PendingCodeStore codes = new PendingCodeStore();

    public Credentials(Db db, Passwords passwords) {
        this.db = db;
        this.passwords = passwords;
    }

    /** Somebody whose password was right, and the hash that it was right for. */
    public record Verified(UserId user, PasswordHash hash) {}

    /**
     * Whose password this is, if it is right. An unknown address costs one lookup and one hash, as a known one does. A
     * right password whose hash has other parameters than today's is hashed anew.
     */
    public Optional<Verified> verify(Email email, String typed) {
        var found = db.read(reads -> store.find(reads, email));
        if (found.isEmpty()) {
            passwords.matchNobody(typed);
            return Optional.empty();
        }
        return verify(found.get(), typed);
    }

    public Optional<Verified> verify(UserId user, String typed) {
        return db.read(reads -> store.find(reads, user)).flatMap(known -> verify(known, typed));
    }

    /**
     * Whether the password is still the one that was verified; it stays so until {@code tx} ends. Without this a session
     * begun with the old password could slip past a change that ends all sessions.
     */
    public boolean stillHolds(Tx tx, Verified verified) {
        return store.lockUnchanged(tx, verified);
    }

    public PasswordHash hash(Password password) {
        return passwords.hash(password);
    }

    /**
     * Sets another password and takes back all codes that are out for the account; the sessions are for the caller to
     * end. Answers the account's address, or nothing if there is no such user.
     */
    public Optional<Email> set(Tx tx, UserId user, PasswordHash hash) {
        var email = store.set(tx, user, hash);
        email.ifPresent(address -> codes.deleteAll(tx, user, address));
        return email;
    }

    private Optional<Verified> verify(Verified known, String typed) {
        if (!passwords.matches(typed, known.hash())) {
            return Optional.empty();
        }
        return Optional.of(passwords.isOutdated(known.hash()) ? renewed(known, typed) : known);
    }

    private Verified renewed(Verified known, String typed) {
        var renewed = new Verified(known.user(), passwords.hash(new Password(typed)));
        boolean changed = db.inTransaction(tx -> store.replace(tx, known, renewed.hash()));
        return changed ? renewed : known;
    }
}
