package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.id.SnowflakeId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds, lists and removes the second factors of accounts: an authenticator app, passkeys, and the recovery codes that replace
 * them. Every change takes a session that was confirmed lately, is in the audit log and is told to the owner by mail.
 */
public final class SecondFactors {

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final FactorCheck check;
    private final Sessions sessions;
    private final Revocations revocations;
    private final SecondFactorStore store = new SecondFactorStore();
    private final PasskeyStore passkeys = new PasskeyStore();

    SecondFactors(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            FactorCheck check,
            Sessions sessions,
            Revocations revocations) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.check = check;
        this.sessions = sessions;
        this.revocations = revocations;
    }

    /** The id of a second factor. */
    public record FactorId(long value) implements SnowflakeId {

        public static FactorId parse(String hex) {
            return new FactorId(Ids.parse(hex));
        }

        @Override
        public String toString() {
            return hex();
        }
    }

    /** The kinds of second factors. */
    public enum Kind {
        APP,
        PASSKEY
    }

    /** A second factor; an app has no name. */
    public record Factor(
            FactorId id, Kind kind, String name, @Nullable Instant lastUsedAt) {}

    /** The second factors of an account, and how many recovery codes are left. */
    public record Overview(List<Factor> factors, int recoveryCodes) {

        public Overview {
            factors = List.copyOf(factors);
        }

        public boolean has(Kind kind) {
            return factors.stream().anyMatch(factor -> factor.kind() == kind);
        }
    }

    public Overview list(Caller caller) {
        return db.read(reads -> {
            var factors = new ArrayList<Factor>();
            store.findApp(reads, caller.user())
                    .filter(SecondFactorStore.AppRow::isConfirmed)
                    .ifPresent(app -> factors.add(new Factor(app.id(), Kind.APP, "", app.lastUsedAt())));
            factors.addAll(passkeys.list(reads, caller.user()));
            return new Overview(factors, store.countRecoveryCodes(reads, caller.user()));
        });
    }

    /** The secret of an app that is being added, in Base32, until it is confirmed. */
    public Optional<String> unconfirmedApp(Caller caller) {
        if (caller.acting()) {
            return Optional.empty();
        }
        return db.read(reads -> store.findApp(reads, caller.user()))
                .filter(app -> !app.isConfirmed())
                .map(app -> check.secret(app, caller.user()).base32());
    }

    /** Begins to add an authenticator app, with a new secret. */
    public void startApp(Caller caller) {
        change(caller, tx -> {
            var secret = check.encrypted(tx, Totp.random(), caller.user());
            if (!store.putUnconfirmedApp(tx, caller.user(), new FactorId(ids.next()), secret)) {
                throw AccountsProblem.appExists();
            }
        });
    }

    /** Lets the app count, if {@code typed} is a code of it. Returns recovery codes where the account had no second factor. */
    public List<String> confirmApp(Caller caller, String typed) {
        var user = caller.user();
        return changed(caller, tx -> {
            var app = store.findApp(tx, user)
                    .filter(found -> !found.isConfirmed())
                    .orElseThrow(AccountsProblem::secondFactorNotFound);
            var step = check.secret(app, user).stepOf(RecoveryCode.normalized(typed), clock.instant());
            if (step.isEmpty()) {
                throw AccountsProblem.invalid("code", Text.of("accounts.field.app-code"));
            }
            boolean isFirst = !check.isEnrolled(tx, user);
            store.confirmApp(tx, user, app.id(), step.getAsLong());
            return added(tx, caller, isFirst);
        });
    }

    /** Records that a factor was added; returns recovery codes if it is the first. */
    List<String> added(Tx tx, Caller caller, boolean isFirst) {
        check.record(tx, caller, Action.SECOND_FACTOR_ADDED, caller.user());
        revocations.after(tx, caller.user());
        return isFirst ? check.renewRecoveryCodes(tx, caller.user()) : List.of();
    }

    /** Removes a factor, and with the last one the recovery codes. */
    public void remove(Caller caller, FactorId id, String password) {
        var user = caller.user();
        changed(caller, password, tx -> {
            if (!store.deleteApp(tx, user, id) && !passkeys.delete(tx, user, id)) {
                throw AccountsProblem.secondFactorNotFound();
            }
            if (!check.isEnrolled(tx, user)) {
                store.deleteRecoveryCodes(tx, user);
            }
            check.record(tx, caller, Action.SECOND_FACTOR_REMOVED, user);
            revocations.after(tx, user);
            return user;
        });
    }

    /** Makes all recovery codes anew. */
    public List<String> renewRecoveryCodes(Caller caller) {
        return changed(caller, tx -> {
            if (!check.isEnrolled(tx, caller.user())) {
                throw AccountsProblem.secondFactorNotFound();
            }
            check.record(tx, caller, Action.RECOVERY_CODES_CREATED, caller.user());
            return check.renewRecoveryCodes(tx, caller.user());
        });
    }

    /** Whether somebody has a second factor, for admins. */
    public boolean isEnrolled(Caller caller, UserId user) {
        caller.requireAdmin();
        return db.read(reads -> check.isEnrolled(reads, user));
    }

    /**
     * Removes all second factors of somebody who has lost them, as an admin, and ends the sessions. Admins remove their own as
     * everybody does.
     *
     * @param password the admin's own; empty if the session was confirmed lately
     */
    public void reset(Caller caller, UserId user, String password) {
        caller.requireAdmin();
        if (caller.user().equals(user)) {
            throw AccountsProblem.ownSecondFactors();
        }
        var confirmation = sessions.confirmAdmin(caller, password);
        db.useTransaction(tx -> {
            confirmation.require(tx);
            store.lock(tx, user);
            if (!check.isEnrolled(tx, user)) {
                throw AccountsProblem.secondFactorNotFound();
            }
            store.deleteAll(tx, user);
            sessions.endAll(tx, user, Optional.empty());
            check.record(tx, caller, Action.SECOND_FACTORS_RESET, user);
        });
    }

    private void change(Caller caller, Consumer<Tx> change) {
        changed(caller, tx -> {
            change.accept(tx);
            return caller;
        });
    }

    private <T> T changed(Caller caller, Function<Tx, T> change) {
        return changed(caller, "", change);
    }

    /** Runs a change by an owner whose session was confirmed lately, or who gives the password. */
    <T> T changed(Caller caller, String password, Function<Tx, T> change) {
        caller.requireNotActing();
        // A token with the password is not enough: tokens are made for programs, and the session was begun with the
        // factor.
        caller.requireSession();
        var confirmation = sessions.confirm(caller, password);
        return db.inTransaction(tx -> {
            store.lock(tx, caller.user());
            confirmation.require(tx);
            return change.apply(tx);
        });
    }
}
