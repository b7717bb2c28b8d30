package io.hiroba.inbox.fanout;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The facade of links between accounts and external names. A name belongs to one account: the first that claims it, until
 * another one is verified.
 */
public final class ExternalIdentities {

    private static final Throttle.Limit CLAIM_LIMIT = new Throttle.Limit(30, Duration.ofHours(1));
    private static final int MAX_IDENTITIES = 20;
    private static final IdentityId NONE = new IdentityId(0);

    private final Db db;
    private final IdGenerator ids;
    private final Users users;
    private final ExternalPeople people;
    private final Throttle throttle;
    private final ItemListener listener;
    private final AuditLog audit;
    private final IdentityStore store = new IdentityStore();

    public ExternalIdentities(
            Db db, IdGenerator ids, Users users, ExternalPeople people, Throttle throttle, ItemListener listener) {
        this.db = db;
        this.ids = ids;
        this.users = users;
        this.people = people;
        this.throttle = throttle;
        this.listener = listener;
        this.audit = new AuditLog(db);
    }

    public List<ExternalIdentity> of(UserId user) {
        return db.read(reads -> store.of(reads, user));
    }

    public List<ExternalIdentity> of(Caller caller, UserId user) {
        caller.requireAdmin();
        return of(user);
    }

    /** Claims a name for the caller. It is linked at once if the GitLab is open or the claim can be verified. */
    public ExternalIdentity claim(Caller caller, ExternalName name) {
        caller.requireNotActing();
        throttle.check("inbox-identities:" + caller.user().hex(), CLAIM_LIMIT).orThrow();
        return db.inTransaction(tx -> {
            var identity = link(tx, caller.user(), name, false);
            if (store.of(tx, caller.user()).size() > MAX_IDENTITIES) {
                throw InboxProblem.tooManyIdentities(MAX_IDENTITIES);
            }
            return identity;
        });
    }

    /** Links a name to an account on the word of an admin. */
    public ExternalIdentity assign(Caller caller, UserId user, ExternalName name) {
        caller.requireAdmin();
        return db.inTransaction(
                tx -> recorded(tx, caller, AuditLog.Action.IDENTITY_ASSIGNED, link(tx, user, name, true)));
    }

    /** Lists the claims that an admin has to confirm, the oldest first. */
    public List<ExternalIdentity> waiting(Caller caller, Optional<IdentityId> after, int limit) {
        caller.requireAdmin();
        return db.read(reads -> store.waiting(reads, after.orElse(NONE), limit));
    }

    public ExternalIdentity confirm(Caller caller, IdentityId id) {
        caller.requireAdmin();
        return db.inTransaction(tx -> {
            var identity = locked(tx, id);
            var linked = link(tx, identity.user(), identity.name(), true);
            return recorded(tx, caller, AuditLog.Action.IDENTITY_CONFIRMED, linked);
        });
    }

    /** Unlinks a name of the caller. Items that it has brought stay. */
    public void unlink(Caller caller, IdentityId id) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            var identity = locked(tx, id);
            if (!identity.user().equals(caller.user())) {
                throw InboxProblem.identityNotFound();
            }
            store.delete(tx, identity);
        });
    }

    /** Rejects a claim and deletes the items that it has brought. */
    public void reject(Caller caller, IdentityId id) {
        caller.requireAdmin();
        db.useTransaction(tx -> {
            var identity = locked(tx, id);
            revoke(tx, identity);
            recorded(tx, caller, AuditLog.Action.IDENTITY_REJECTED, identity);
        });
    }

    private ExternalIdentity recorded(Tx tx, Caller caller, AuditLog.Action action, ExternalIdentity identity) {
        var name = identity.name().key();
        audit.record(
                tx, caller, action, Target.of(TargetKind.IDENTITY, identity.id().hex(), name, identity.user()));
        return identity;
    }

    /** Unlinks a name that was not the user's, and deletes the items that it has brought. */
    private void revoke(Tx tx, ExternalIdentity identity) {
        var own = users.find(tx, identity.user())
                .map(found -> found.user().email().value());
        var lost = store.delete(tx, identity).stream()
                .filter(person -> !own.equals(Optional.ofNullable(person.email())))
                .map(IdentityStore.UnlinkedPerson::connection)
                .distinct()
                .toList();
        if (store.deleteItems(tx, identity.user(), lost) > 0) {
            listener.changed(tx, List.of(identity.user()));
        }
    }

    private ExternalIdentity locked(Tx tx, IdentityId id) {
        var unlocked = store.find(tx, id).orElseThrow(InboxProblem::identityNotFound);
        store.lockName(tx, unlocked.name());
        return store.find(tx, id).orElseThrow(InboxProblem::identityNotFound);
    }

    private ExternalIdentity link(Tx tx, UserId user, ExternalName name, boolean byAdmin) {
        if (name.connection() != null && !store.isGitlab(tx, name.connection())) {
            throw InboxProblem.invalid("connection", Text.of("inbox.field.connection"));
        }
        var own = users.find(tx, user)
                .orElseThrow(InboxProblem::userNotFound)
                .user()
                .email();
        store.lockName(tx, name);
        boolean ownAddress = own.value().equals(name.email());
        boolean verified = byAdmin || ownAddress || store.isVerifiedByEmail(tx, name, own);
        var former = displace(tx, user, name, verified, ownAddress);
        var namesakes = store.namesakes(tx, user, name);
        if (!byAdmin
                && namesakes.stream()
                        .anyMatch(
                                namesake -> namesake.isLinkedToOther(user) || hasAnothersAddress(tx, namesake, user))) {
            throw InboxProblem.identityTaken();
        }
        var id = former.map(ExternalIdentity::id).orElseGet(() -> new IdentityId(ids.next()));
        if (former.isEmpty()) {
            store.insert(tx, id.value(), user, name, verified);
        } else if (verified) {
            store.confirm(tx, id);
        }
        boolean confirmed = verified || former.map(ExternalIdentity::confirmed).orElse(false);
        namesakes.stream()
                .filter(namesake -> confirmed || isLinkedAtOnce(namesake, name, own))
                .filter(namesake -> verified || !namesake.successor())
                .filter(namesake -> !user.equals(namesake.user()))
                .forEach(namesake -> people.link(tx, namesake.id(), user));
        return store.find(tx, id).orElseThrow();
    }

    /** Whether the person has the e-mail address of another account, which is not linked yet. */
    private boolean hasAnothersAddress(Reads reads, IdentityStore.Namesake namesake, UserId user) {
        if (namesake.email() == null || user.equals(namesake.user())) {
            return false;
        }
        try {
            return users.findByEmail(reads, Email.parse(namesake.email()))
                    .filter(owner -> !owner.equals(user))
                    .isPresent();
        } catch (Problem e) {
            return false;
        }
    }

    private static boolean isLinkedAtOnce(IdentityStore.Namesake namesake, ExternalName name, Email own) {
        return (namesake.open() && name.username() != null) || own.value().equals(namesake.email());
    }

    /** Revokes unverified claims of others if this one is verified; returns the user's own former claim. */
    private Optional<ExternalIdentity> displace(
            Tx tx, UserId user, ExternalName name, boolean verified, boolean ownAddress) {
        Optional<ExternalIdentity> former = Optional.empty();
        for (var holder : store.holders(tx, name)) {
            if (holder.user().equals(user)) {
                former = isSame(holder.name(), name) ? Optional.of(holder) : former;
            } else if (ownAddress || (verified && !holder.confirmed())) {
                revoke(tx, holder);
            } else {
                throw InboxProblem.identityTaken();
            }
        }
        return former;
    }

    private static boolean isSame(ExternalName one, ExternalName other) {
        return one.key().equals(other.key())
                && Optional.ofNullable(one.connection()).equals(Optional.ofNullable(other.connection()));
    }
}
