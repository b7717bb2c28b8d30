package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/** Sees to it at start that there is an admin to sign in as. */
public final class FirstAdmin {

    private static final Email FALLBACK = new Email("admin@hiroba.local");
    private static final Nickname NICKNAME = new Nickname("admin");
    private static final int PASSWORD_BYTES = 15;

    private final Db db;
    private final Users users;
    private final Passwords passwords;
    private final AuditLog audit;
    private final FirstAdminStore store = new FirstAdminStore();

    public FirstAdmin(Db db, Users users, Passwords passwords, AuditLog audit) {
        this.db = db;
        this.users = users;
        this.passwords = passwords;
        this.audit = audit;
    }

    /**
     * Who the admin is, for the operator to read: the one that is named if that is one, else the oldest.
     *
     * @param made whether the account was made just now
     * @param generated the password if it was made up here; it is nowhere else
     */
    public record Outcome(Email email, boolean made, Optional<Password> generated) {}

    /**
     * Makes the admin that {@code config} names, or one with a made-up password, only if there is no admin at all: a
     * restart must not bring back one who was deleted or has moved to another address. Nodes that start together make
     * one between them.
     *
     * @throws AccountsProblem {@code accounts.admin-not-made} if the address belongs to somebody who is no admin
     */
    public Outcome ensure(AdminConfig config) {
        var known = db.read(reads -> store.admin(reads, named(config)));
        if (known.isPresent()) {
            return new Outcome(known.get(), false, Optional.empty());
        }
        var generated = config.password().isEmpty() ? Optional.of(generate()) : Optional.<Password>empty();
        var hash = passwords.hash(generated.orElseGet(() -> new Password(config.password())));
        return db.inTransaction(tx -> {
            store.lock(tx);
            var meanwhile = store.admin(tx, named(config));
            if (meanwhile.isPresent()) {
                return new Outcome(meanwhile.get(), false, Optional.empty());
            }
            return new Outcome(make(tx, named(config), hash), true, generated);
        });
    }

    private Email make(Tx tx, Email email, PasswordHash hash) {
        if (users.findByEmail(tx, email).isPresent()) {
            throw AccountsProblem.adminNotMade(email);
        }
        var id = users.create(tx, email, NICKNAME, hash, true);
        audit.record(tx, null, AuditLog.Action.FIRST_ADMIN_MADE, id);
        return email;
    }

    private static Email named(AdminConfig config) {
        return config.email().isEmpty() ? FALLBACK : Email.parse(config.email());
    }

    private static Password generate() {
        var bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Password(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }
}
