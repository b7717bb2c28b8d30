package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/** Creates an admin at start where there is none. */
public final class FirstAdmin {

    private static final Email DEFAULT_EMAIL = new Email("admin@hiroba.local");
    private static final Nickname NICKNAME = new Nickname("admin");
    private static final int PASSWORD_BYTES = 15;

    private final Db db;
    private final Users users;
    private final Credentials credentials;
    private final AuditLog audit;
    private final UserStore store = new UserStore();

    FirstAdmin(Db db, Users users, Credentials credentials, AuditLog audit) {
        this.db = db;
        this.users = users;
        this.credentials = credentials;
        this.audit = audit;
    }

    /**
     * An admin that the operator can sign in as: the configured one if that is an admin, else the oldest.
     *
     * @param created whether the account was created just now
     * @param generated the password if it was generated just now; it is stored nowhere else
     */
    public record Result(Email email, boolean created, Optional<Password> generated) {}

    /**
     * Refuses a password that no admin could be made with, before there is a database to make one in.
     *
     * @param minLength the characters of a chosen password
     * @throws AccountsProblem {@code accounts.invalid} if it is too easy to guess
     */
    public static void requireUsable(AdminConfig config, int minLength) {
        if (!config.password().isEmpty()) {
            chosen(config, new PasswordPolicy(minLength));
        }
    }

    /**
     * Creates the admin that {@code config} names, or one with a generated password, only if there is no admin at all: a
     * restart must not restore one who was deleted or has changed their address. Nodes that start together create one.
     *
     * @throws AccountsProblem {@code accounts.admin-not-made} if the address belongs to somebody who is no admin;
     *     {@code accounts.invalid} if the password is too easy to guess
     */
    public Result ensure(AdminConfig config) {
        var known = db.read(reads -> store.adminEmail(reads, named(config)));
        if (known.isPresent()) {
            return new Result(known.get(), false, Optional.empty());
        }
        var generated = config.password().isEmpty() ? Optional.of(generate()) : Optional.<Password>empty();
        var hash = credentials.hash(generated.orElseGet(() -> chosen(config, credentials.policy())));
        return db.inTransaction(tx -> {
            store.lockFirstAdmin(tx);
            var meanwhile = store.adminEmail(tx, named(config));
            if (meanwhile.isPresent()) {
                return new Result(meanwhile.get(), false, Optional.empty());
            }
            return new Result(create(tx, named(config), hash), true, generated);
        });
    }

    private Email create(Tx tx, Email email, PasswordHash hash) {
        if (users.findByEmail(tx, email).isPresent()) {
            throw AccountsProblem.adminNotCreated(email);
        }
        var id = users.create(tx, email, NICKNAME, hash, true);
        audit.record(tx, null, AuditLog.Action.FIRST_ADMIN_MADE, id);
        return email;
    }

    private static Password chosen(AdminConfig config, PasswordPolicy policy) {
        var password = new Password(config.password());
        policy.require("admin.password", password, NICKNAME, named(config));
        return password;
    }

    private static Email named(AdminConfig config) {
        return config.email().isEmpty() ? DEFAULT_EMAIL : Email.parse(config.email());
    }

    private static Password generate() {
        var bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Password(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }
}
