package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.Sessions.Confirmation;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.markdown.Markdown;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The facade of accounts: creates, finds, lists, updates and deletes them. */
public final class Users {

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final EventLog events;
    private final AuditLog audit;
    private final Revocations revocations;
    private final UserStore store = new UserStore();
    private final SecondFactorStore factors = new SecondFactorStore();
    private final UserFilterStore filters = new UserFilterStore();
    private final SuspensionStore suspensions = new SuspensionStore();
    private final VerificationCodeStore codes = new VerificationCodeStore();
    private final NicknameClaims names = new NicknameClaims();

    /** With an audit log and revocations of its own, for programs that serve no requests. */
    public Users(Db db, IdGenerator ids, InstantSource clock, EventLog events) {
        this(db, ids, clock, events, new AuditLog(db), new Revocations(new CommitSignal()));
    }

    Users(Db db, IdGenerator ids, InstantSource clock, EventLog events, AuditLog audit, Revocations revocations) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.events = events;
        this.audit = audit;
        this.revocations = revocations;
    }

    /** Creates an account on behalf of an admin, who is confirmed where it is that of another admin. */
    public Profile create(Tx tx, Caller caller, NewUser user, Confirmation confirmation) {
        caller.requireAdmin();
        if (user.admin()) {
            confirmation.require(tx);
        }
        var id = create(tx, user.email(), user.nickname(), user.password(), user.admin());
        var changes = Changes.NONE
                .with("nickname", null, user.nickname().value())
                .with("email", null, user.email().value())
                .with("admin", null, user.admin());
        audit.record(tx, caller, AuditLog.Action.USER_CREATED, Target.of(id), changes);
        if (user.admin()) {
            audit.record(tx, caller, AuditLog.Action.ADMIN_GRANTED, Target.of(id));
        }
        return store.find(tx, id).orElseThrow();
    }

    public Profile create(Caller caller, NewUser user, Confirmation confirmation) {
        return db.inTransaction(tx -> create(tx, caller, user, confirmation));
    }

    /** Creates an account in the caller's transaction; {@code accounts.email-taken} if the address has one. */
    public UserId create(Tx tx, Email email, Nickname nickname, PasswordHash password, boolean admin) {
        names.claimForPerson(tx, nickname);
        var id = new UserId(ids.next());
        if (!store.insert(tx, id, email, nickname, password, admin)) {
            throw AccountsProblem.emailTaken();
        }
        return id;
    }

    /** The part of an agent's account that its feature sets. */
    public record AgentProfile(
            Nickname nickname, String model, @Nullable String personality) {}

    /** Creates the account of an agent in the caller's transaction. Nobody logs in to it, and no mail goes to it. */
    public UserId createAgent(Tx tx, AgentProfile agent) {
        names.claimForAgent(tx, agent.nickname());
        var id = new UserId(ids.next());
        var email = new Email("agent-" + id.hex().toLowerCase(Locale.ROOT) + NicknameClaims.AGENTS_DOMAIN);
        store.insert(tx, id, email, agent.nickname(), PasswordHash.NONE, false);
        updateAgent(tx, id, agent);
        return id;
    }

    /** Sets name, model and personality of an agent's account in the caller's transaction. */
    public void updateAgent(Tx tx, UserId id, AgentProfile agent) {
        var before = store.find(tx, id).orElseThrow(AccountsProblem::userNotFound);
        if (!agent.nickname().isLike(before.user().nickname())) {
            names.claimForAgent(tx, agent.nickname());
        }
        var update = new UserUpdate(
                agent.nickname(),
                before.introduction(),
                before.user().avatar(),
                agent.model(),
                agent.personality(),
                before.timeZone(),
                null,
                null,
                before.language());
        update.requireLengths(false);
        store.update(tx, id, update, before.user().snippet(), clock.instant());
    }

    public Profile profile(UserId id) {
        return find(id).orElseThrow(AccountsProblem::userNotFound);
    }

    public Optional<Profile> find(UserId id) {
        return db.read(reads -> store.find(reads, id));
    }

    /** Those of the accounts that exist, by their ids. */
    public Map<UserId, Profile> find(Reads reads, Collection<UserId> ids) {
        return store.find(reads, ids).stream()
                .collect(Collectors.toMap(profile -> profile.user().id(), Function.identity()));
    }

    /** As {@link #find(UserId)}, in the caller's transaction. */
    public Optional<Profile> find(Reads reads, UserId id) {
        return store.find(reads, id);
    }

    public Optional<UserId> findByEmail(Email email) {
        return db.read(reads -> findByEmail(reads, email));
    }

    /** As above, in the caller's transaction. */
    public Optional<UserId> findByEmail(Reads reads, Email email) {
        return store.findByEmail(reads, email);
    }

    /** The users of these lower-case addresses; addresses without an account are left out. */
    public Map<String, UserId> findByEmails(Reads reads, Collection<String> emails) {
        return store.findByEmails(reads, emails);
    }

    /** The first users whose nickname begins with {@code prefix}, whatever case and accents, in the order of the nicknames. */
    public List<User> list(String prefix, int limit) {
        return list(prefix, Optional.empty(), limit);
    }

    /** As above, after a position. */
    List<User> list(String prefix, Optional<NicknamePosition> after, int limit) {
        var normal = Nickname.normalise(prefix);
        return db.read(reads -> store.list(reads, normal, after.orElse(NicknamePosition.START), limit));
    }

    /** Users by the time of their sign-up, the latest first. */
    List<User> newest(Optional<UserId> after, int limit) {
        return db.read(reads -> store.newest(reads, after.orElse(new UserId(Long.MAX_VALUE)), limit));
    }

    /** Users by the time of their sign-up, the earliest first. */
    List<User> oldest(Optional<UserId> after, int limit) {
        return db.read(reads -> store.oldest(reads, after.orElse(new UserId(0)), limit));
    }

    /** Some users by the time of their sign-up, the latest first; only an admin is told who is suspended. */
    List<User> filtered(Caller caller, UserList.Filter filter, Optional<UserId> after, int limit) {
        if (filter == UserList.Filter.SUSPENDED) {
            caller.requireAdmin();
        }
        var before = after.orElse(new UserId(Long.MAX_VALUE));
        return db.read(reads -> filters.list(reads, filter, before, clock.instant(), limit));
    }

    /** Replaces the profile, without a change of role or address. */
    public Profile update(Caller caller, UserId id, UserUpdate update) {
        return update(caller, id, update, Confirmation.NONE);
    }

    /** Replaces the profile; an admin is confirmed before the role or the address changes. */
    public Profile update(Caller caller, UserId id, UserUpdate update, Confirmation confirmation) {
        caller.requireOwnerOrAdmin(id);
        update.requireLengths(caller.admin());
        var snippet = Markdown.parse(update.introduction()).snippet().json();
        try {
            return db.inTransaction(tx -> {
                var admins = lockedAdmins(tx, caller, id, update);
                var before = store.lock(tx, id).orElseThrow(AccountsProblem::userNotFound);
                update.requireOwnAvatar(before);
                var change = update.changing(before);
                if (change.isPrivileged()) {
                    // Only a change that came in between leaves the admins unlocked until here.
                    requireRights(
                            caller, before, change, admins.isEmpty() ? store.lockAdmins(tx, clock.instant()) : admins);
                    confirmation.require(tx);
                }
                if (!change.nickname().isLike(before.nickname())) {
                    names.claim(tx, change.nickname(), before.email());
                }
                store.update(tx, id, change, snippet, clock.instant());
                if (change.email() != null) {
                    codes.deleteAll(tx, id, before.email());
                }
                record(tx, caller, before, change);
                return store.find(tx, id).orElseThrow(AccountsProblem::userNotFound);
            });
        } catch (DbException e) {
            throw refusal(e);
        }
    }

    /** Whether the account is suspended, so that it is sent nothing. */
    public boolean isSuspended(Reads reads, UserId id) {
        return suspensions.isSuspended(reads, id, clock.instant());
    }

    /** Keeps what a new user's browser told, in the caller's transaction. */
    void setPreferences(Tx tx, UserId id, SignUp.Preferences preferences) {
        store.setPreferences(tx, id, preferences);
    }

    /** The language of mails to the user. */
    public Language language(Reads reads, UserId id) {
        return find(reads, id)
                .flatMap(profile -> Optional.ofNullable(profile.language()))
                .orElse(Language.ENGLISH);
    }

    /** Keeps the language that the user reads in. */
    public void setLanguage(UserId id, Language language) {
        db.useTransaction(tx -> store.setLanguage(tx, id, language));
    }

    /** Sets or removes the avatar in the caller's transaction. */
    public void setAvatar(Tx tx, Caller caller, UserId id, @Nullable String path) {
        caller.requireOwnerOrAdmin(id);
        if (!store.setAvatar(tx, id, path, clock.instant())) {
            throw AccountsProblem.userNotFound();
        }
        if (!caller.actor().equals(id)) {
            audit.record(tx, caller, AuditLog.Action.USER_UPDATED, Target.of(id));
        }
    }

    /** Removes the avatar if it is the picture at {@code path}, which is about to be deleted. */
    public void dropAvatar(Tx tx, Caller caller, UserId id, String path) {
        var shown = store.lock(tx, id).map(User::avatar);
        if (shown.filter(path::equals).isPresent()) {
            setAvatar(tx, caller, id, null);
        }
    }

    /** Changes the address in the caller's transaction; returns the former one. */
    public Email changeEmail(Tx tx, UserId id, Email email) {
        try {
            var former = store.lock(tx, id)
                    .orElseThrow(AccountsProblem::userNotFound)
                    .email();
            store.setEmail(tx, id, email, clock.instant());
            codes.deleteAll(tx, id, former);
            return former;
        } catch (DbException e) {
            throw refusal(e);
        }
    }

    /**
     * Closes an account that is about to be deleted, in the caller's transaction: revokes its admin role and deletes its
     * passkeys, which log in without a password. The caller ends its password, sessions and tokens.
     */
    public void close(Tx tx, Caller caller, UserId id) {
        caller.requireOwnerOrAdmin(id);
        requireAnotherAdmin(store.lockAdmins(tx, clock.instant()), id);
        if (store.lock(tx, id).orElseThrow(AccountsProblem::userNotFound).admin()) {
            store.setAdmin(tx, id, false);
            audit.record(tx, caller, AuditLog.Action.ADMIN_REVOKED, Target.of(id));
        }
        factors.deleteAll(tx, id);
        audit.record(tx, caller, AuditLog.Action.USER_CLOSED, Target.of(id));
        revocations.after(tx, id);
    }

    /**
     * Grants or revokes the admin role as an identity provider says, in the caller's transaction. The last admin stays one, so
     * that a wrong name of a group locks nobody out.
     */
    void followRole(Tx tx, UserId id, boolean admin) {
        if (store.find(tx, id).filter(found -> found.user().admin() == admin).isPresent()) {
            return;
        }
        var admins = store.lockAdmins(tx, clock.instant());
        var user = store.lock(tx, id).orElseThrow(AccountsProblem::userNotFound);
        if (user.admin() == admin || (admins.size() == 1 && admins.contains(id))) {
            return;
        }
        store.setAdmin(tx, id, admin);
        revocations.after(tx, id);
        audit.record(tx, null, admin ? AuditLog.Action.ADMIN_GRANTED : AuditLog.Action.ADMIN_REVOKED, id);
    }

    /** Deletes the account; other features learn of it from the event log. */
    public void delete(Caller caller, UserId id) {
        caller.requireOwnerOrAdmin(id);
        db.useTransaction(tx -> {
            if (!store.deleteUnlessAdmin(tx, id)) {
                requireAnotherAdmin(store.lockAdmins(tx, clock.instant()), id);
                if (!store.delete(tx, id)) {
                    throw AccountsProblem.userNotFound();
                }
            }
            revocations.after(tx, id);
            audit.forget(tx, id);
            audit.record(tx, caller, AuditLog.Action.USER_DELETED, Target.of(id));
            events.append(tx, NewEvent.of(id.value(), "user-deleted").with("userId", id.hex()));
        });
    }

    /** The admins where the update needs one, locked before the account so that all transactions lock in one order. */
    private List<UserId> lockedAdmins(Tx tx, Caller caller, UserId id, UserUpdate update) {
        var seen = store.find(tx, id).orElseThrow(AccountsProblem::userNotFound).user();
        if (!update.changing(seen).isPrivileged()) {
            return List.of();
        }
        caller.requireNotActing();
        caller.requireAdmin();
        return store.lockAdmins(tx, clock.instant());
    }

    private static void requireAnotherAdmin(List<UserId> admins, UserId id) {
        if (admins.size() == 1 && admins.contains(id)) {
            throw AccountsProblem.lastAdmin();
        }
    }

    /** Checks the locked rows: the caller may have lost the admin role since the request was authenticated. */
    private static void requireRights(Caller caller, User before, UserUpdate change, List<UserId> admins) {
        caller.requireNotActing();
        if (!admins.contains(caller.user())) {
            throw AccountsProblem.adminOnly();
        }
        if (change.email() != null && caller.user().equals(before.id())) {
            throw AccountsProblem.ownEmail();
        }
        if (Boolean.FALSE.equals(change.admin())) {
            requireAnotherAdmin(admins, before.id());
        }
    }

    private void record(Tx tx, Caller caller, User before, UserUpdate change) {
        var id = before.id();
        if (change.admin() != null) {
            revocations.after(tx, id);
            var action = before.admin() ? AuditLog.Action.ADMIN_REVOKED : AuditLog.Action.ADMIN_GRANTED;
            audit.record(tx, caller, action, Target.of(id));
        }
        var email = change.email();
        if (email != null) {
            var changes = Changes.NONE.with("email", before.email().value(), email.value());
            audit.record(tx, caller, AuditLog.Action.EMAIL_SET, Target.of(id), changes);
        }
        if (!caller.actor().equals(id)) {
            var changes = Changes.NONE
                    .with(
                            "nickname",
                            before.nickname().value(),
                            change.nickname().value())
                    .with("avatar", before.avatar(), change.avatar())
                    .with("aiModel", before.aiModel(), change.aiModel());
            audit.record(tx, caller, AuditLog.Action.USER_UPDATED, Target.of(id), changes);
        }
    }

    private static RuntimeException refusal(DbException e) {
        if (SqlState.is(e, SqlState.UNIQUE_VIOLATION)) {
            return AccountsProblem.emailTaken();
        }
        if (SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION)) {
            return AccountsProblem.invalid("aiModel", Text.of("accounts.field.unknown-model"));
        }
        return e;
    }

    /** An account that an admin creates. */
    public record NewUser(Email email, Nickname nickname, PasswordHash password, boolean admin) {}
}
