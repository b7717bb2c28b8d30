package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.markdown.Markdown;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.JdbiException;

/** The accounts: made, shown, listed, changed and deleted. */
public final class Users {

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final EventLog events;
    private final AuditLog audit;
    private final UserStore store = new UserStore();

    public Users(Db db, IdGenerator ids, InstantSource clock, EventLog events, AuditLog audit) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.events = events;
        this.audit = audit;
    }

    /** Makes an account on behalf of an admin. */
    public Profile create(Tx tx, Caller caller, NewUser user) {
        caller.requireAdmin();
        var id = create(tx, user.email(), user.nickname(), user.password(), user.admin());
        audit.record(tx, caller.actor(), AuditLog.Action.USER_CREATED, id);
        return store.find(tx, id).orElseThrow();
    }

    public Profile create(Caller caller, NewUser user) {
        return db.inTransaction(tx -> create(tx, caller, user));
    }

    /** Makes an account in the caller's transaction; {@code accounts.email-taken} if the address has one. */
    public UserId create(Tx tx, Email email, Nickname nickname, PasswordHash password, boolean admin) {
        var id = new UserId(ids.next());
        if (!store.insert(tx, id, email, nickname, password, admin)) {
            throw AccountsProblem.emailTaken();
        }
        return id;
    }

    public Profile profile(UserId id) {
        return find(id).orElseThrow(AccountsProblem::userNotFound);
    }

    public Optional<Profile> find(UserId id) {
        return db.read(reads -> store.find(reads, id));
    }

    public Optional<UserId> findByEmail(Reads reads, Email email) {
        return store.findByEmail(reads, email);
    }

    /** Users whose nickname begins with {@code prefix}, whatever the case, in the order of the nicknames. */
    public List<User> list(String prefix, Optional<NicknamePosition> after, int limit) {
        var normal = Nickname.normalise(prefix);
        return db.read(reads -> store.list(reads, normal, after.orElse(NicknamePosition.START), limit));
    }

    /** Replaces the profile. */
    public Profile update(Caller caller, UserId id, UserUpdate update) {
        caller.requireOwnerOrAdmin(id);
        update.requireLengths(caller.admin());
        var snippet = Markdown.parse(update.introduction()).snippet().json();
        try {
            return db.inTransaction(tx -> {
                var before = current(tx, id, Boolean.FALSE.equals(update.admin()));
                requireRights(caller, before, update);
                store.update(tx, id, update, snippet, clock.instant());
                record(tx, caller, before, update);
                return store.find(tx, id).orElseThrow(AccountsProblem::userNotFound);
            });
        } catch (JdbiException e) {
            throw refusal(e);
        }
    }

    /** Gives the account another address in the caller's transaction. */
    public void changeEmail(Tx tx, UserId id, Email email) {
        try {
            if (!store.setEmail(tx, id, email, clock.instant())) {
                throw AccountsProblem.userNotFound();
            }
        } catch (JdbiException e) {
            throw refusal(e);
        }
    }

    /** Deletes the account with all that accounts keeps of it; other features learn of it from the event log. */
    public void delete(Caller caller, UserId id) {
        caller.requireOwnerOrAdmin(id);
        db.useTransaction(tx -> {
            requireAnotherAdmin(tx, id);
            if (!store.delete(tx, id)) {
                throw AccountsProblem.userNotFound();
            }
            audit.record(tx, caller.actor(), AuditLog.Action.USER_DELETED, id);
            events.append(tx, NewEvent.of(id.value(), "user-deleted").with("userId", id.hex()));
        });
    }

    private Profile current(Tx tx, UserId id, boolean demoted) {
        if (demoted) {
            requireAnotherAdmin(tx, id);
        }
        return store.find(tx, id).orElseThrow(AccountsProblem::userNotFound);
    }

    private void requireAnotherAdmin(Tx tx, UserId id) {
        var admins = store.lockAdmins(tx);
        if (admins.size() == 1 && admins.contains(id)) {
            throw AccountsProblem.lastAdmin();
        }
    }

    private static void requireRights(Caller caller, Profile before, UserUpdate update) {
        if (changesRole(before, update) || changesEmail(before, update)) {
            caller.requireAdmin();
        }
    }

    private void record(Tx tx, Caller caller, Profile before, UserUpdate update) {
        var id = before.user().id();
        if (changesRole(before, update)) {
            var action = before.user().admin() ? AuditLog.Action.ADMIN_REVOKED : AuditLog.Action.ADMIN_GRANTED;
            audit.record(tx, caller.actor(), action, id);
        }
        if (changesEmail(before, update)) {
            audit.record(tx, caller.actor(), AuditLog.Action.EMAIL_SET, id);
        }
        if (!caller.actor().equals(id)) {
            audit.record(tx, caller.actor(), AuditLog.Action.USER_UPDATED, id);
        }
    }

    private static boolean changesRole(Profile before, UserUpdate update) {
        var admin = update.admin();
        return admin != null && admin != before.user().admin();
    }

    private static boolean changesEmail(Profile before, UserUpdate update) {
        var email = update.email();
        return email != null && !email.equals(before.user().email());
    }

    private static RuntimeException refusal(JdbiException e) {
        if (SqlState.is(e, SqlState.UNIQUE_VIOLATION)) {
            return AccountsProblem.emailTaken();
        }
        if (SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION)) {
            return AccountsProblem.invalid("aiModel", "is not a known AI model");
        }
        return e;
    }
}
