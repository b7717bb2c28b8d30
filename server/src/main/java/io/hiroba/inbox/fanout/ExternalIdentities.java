package io.hiroba.inbox.fanout;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The names that users claim elsewhere. A name belongs to one account: to the first who says so, until somebody comes
 * who can show it.
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
    private final IdentityStore store = new IdentityStore();

    public ExternalIdentities(
            Db db, IdGenerator ids, Users users, ExternalPeople people, Throttle throttle, ItemListener listener) {
        this.db = db;
        this.ids = ids;
        this.users = users;
        this.people = people;
        this.throttle = throttle;
        this.listener = listener;
    }

    public List<ExternalIdentity> of(UserId user) {
        return db.read(reads -> store.of(reads, user));
    }

    public List<ExternalIdentity> of(Caller caller, UserId user) {
        caller.requireAdmin();
        return of(user);
    }

    /** Says that the caller has this name. It is so at once where their GitLab is open or something stands for it. */
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

    /** Gives somebody this name in an admin's name, who answers for it. */
    public ExternalIdentity assign(Caller caller, UserId user, ExternalName name) {
        caller.requireAdmin();
        return db.inTransaction(tx -> link(tx, user, name, true));
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
            return link(tx, identity.user(), identity.name(), true);
        });
    }

    /** Takes a name back. Items that came through it stay. */
    public void drop(Caller caller, IdentityId id) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            var identity = locked(tx, id);
            if (!identity.user().equals(caller.user())) {
                throw InboxProblem.identityNotFound();
            }
            store.delete(tx, identity);
        });
    }

    /** Takes a name from somebody in an admin's name, and what came through it. */
    public void refuse(Caller caller, IdentityId id) {
        caller.requireAdmin();
        db.useTransaction(tx -> revoke(tx, locked(tx, id)));
    }

    /** Takes a name from somebody whose it was not: the items that came through it were not theirs either. */
    private void revoke(Tx tx, ExternalIdentity identity) {
        var own = users.find(tx, identity.user())
                .map(found -> found.user().email().value());
        var lost = store.delete(tx, identity).stream()
                .filter(been -> !own.equals(Optional.ofNullable(been.email())))
                .map(IdentityStore.Been::connection)
                .distinct()
                .toList();
        if (store.dropItems(tx, identity.user(), lost) > 0) {
            listener.changed(tx, List.of(identity.user()));
        }
    }

    private ExternalIdentity locked(Tx tx, IdentityId id) {
        var seen = store.find(tx, id).orElseThrow(InboxProblem::identityNotFound);
        store.lockName(tx, seen.name());
        return store.find(tx, id).orElseThrow(InboxProblem::identityNotFound);
    }

    private ExternalIdentity link(Tx tx, UserId user, ExternalName name, boolean sure) {
        if (name.connection() != null && !store.isGitlab(tx, name.connection())) {
            throw InboxProblem.invalid("connection", "is not a GitLab that is connected here");
        }
        var own = users.find(tx, user)
                .orElseThrow(InboxProblem::userNotFound)
                .user()
                .email();
        store.lockName(tx, name);
        boolean ownAddress = own.value().equals(name.email());
        boolean shown = sure || ownAddress || store.isVouchedFor(tx, name, own);
        var mine = displace(tx, user, name, shown, ownAddress);
        var namesakes = store.namesakes(tx, name);
        if (!sure
                && namesakes.stream()
                        .anyMatch(namesake -> namesake.isAnotherThan(user) || hasAnothersAddress(tx, namesake, user))) {
            throw InboxProblem.identityTaken();
        }
        var id = mine.map(ExternalIdentity::id).orElseGet(() -> new IdentityId(ids.next()));
        if (mine.isEmpty()) {
            store.insert(tx, id.value(), user, name, shown);
        } else if (shown) {
            store.confirm(tx, id);
        }
        boolean confirmed = shown || mine.map(ExternalIdentity::confirmed).orElse(false);
        namesakes.stream()
                .filter(namesake -> confirmed || isTheirs(namesake, name, own))
                .filter(namesake -> !user.equals(namesake.user()))
                .forEach(namesake -> people.link(tx, namesake.id(), user));
        return store.find(tx, id).orElseThrow();
    }

    /** Whether the name has the e-mail address of another account, whose owner was just not seen yet. */
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

    private static boolean isTheirs(IdentityStore.Namesake namesake, ExternalName name, Email own) {
        return (namesake.open() && name.username() != null) || own.value().equals(namesake.email());
    }

    /** Takes the name from those who only say to have it, if that is due; answers what the user said before themselves. */
    private Optional<ExternalIdentity> displace(
            Tx tx, UserId user, ExternalName name, boolean shown, boolean ownAddress) {
        Optional<ExternalIdentity> mine = Optional.empty();
        for (var holder : store.holders(tx, name)) {
            if (holder.user().equals(user)) {
                mine = isSame(holder.name(), name) ? Optional.of(holder) : mine;
            } else if (ownAddress || (shown && !holder.confirmed())) {
                revoke(tx, holder);
            } else {
                throw InboxProblem.identityTaken();
            }
        }
        return mine;
    }

    private static boolean isSame(ExternalName one, ExternalName other) {
        return one.key().equals(other.key())
                && Optional.ofNullable(one.connection()).equals(Optional.ofNullable(other.connection()));
    }
}
