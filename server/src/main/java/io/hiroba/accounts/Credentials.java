package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.util.Optional;

/** Verifies and sets the passwords of accounts. */
public final class Credentials {

    private final Db db;
    private final Passwords passwords;
    private final PasswordPolicy policy;
    private final UserStore store = new UserStore();
    private final VerificationCodeStore codes = new VerificationCodeStore();

    /** @param minLength the characters of a chosen password */
    Credentials(Db db, Passwords passwords, int minLength) {
        this.db = db;
        this.passwords = passwords;
        this.policy = new PasswordPolicy(minLength);
    }

    /** The characters that a chosen password has to have, for hints. */
    public int minLength() {
        return policy.minLength();
    }

    /** A user whose password was verified, and its hash. */
    public record Verified(UserId user, PasswordHash hash) {}

    /**
     * Verifies a password. An unknown address costs one lookup and one hash, as a known one does. A correct password whose
     * hash has outdated parameters is hashed again.
     */
    public Optional<Verified> verify(Email email, String typed) {
        var found = db.read(reads -> store.findPassword(reads, email));
        if (found.isEmpty()) {
            passwords.matchDecoy(typed);
            return Optional.empty();
        }
        return verify(found.get(), typed);
    }

    public Optional<Verified> verify(UserId user, String typed) {
        return db.read(reads -> store.findPassword(reads, user)).flatMap(known -> verify(known, typed));
    }

    /**
     * Whether the password is still the one that was verified; it stays so until {@code tx} ends. Without this a session
     * begun with the old password could slip past a change that ends all sessions.
     */
    public boolean stillHolds(Tx tx, Verified verified) {
        return store.lockPassword(tx, verified);
    }

    /** Hashes a password that nobody chose, such as a generated one. */
    public PasswordHash hash(Password password) {
        return passwords.hash(password);
    }

    /** Hashes a password that somebody chose, unless it is too easy to guess for who knows {@code known} of its owner. */
    public PasswordHash hashChosen(Password password, Object... known) {
        policy.require(password, known);
        return passwords.hash(password);
    }

    /** Rates what somebody is typing as a new password; nothing if the node is busy with others. */
    public Optional<Password.Rating> rate(String typed, Object... known) {
        return policy.hint(typed, known);
    }

    /** The rules for chosen passwords. */
    PasswordPolicy policy() {
        return policy;
    }

    /**
     * Sets another password and deletes all codes of the account; the caller ends its sessions. Returns the account's address,
     * or nothing if there is no such user.
     */
    public Optional<Email> set(Tx tx, UserId user, PasswordHash hash) {
        var email = store.setPassword(tx, user, hash);
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
        boolean changed = db.inTransaction(tx -> store.replacePassword(tx, known, renewed.hash()));
        return changed ? renewed : known;
    }
}
