package io.hiroba.inbox.resources;

import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The people whom connections speak of, each known once however they are described: by number, by user name or by
 * e-mail address.
 */
public final class People {

    private final IdGenerator ids;
    private final Users users;
    private final Arrivals arrivals;
    private final PersonStore store = new PersonStore();

    public People(IdGenerator ids, Users users, Arrivals arrivals) {
        this.ids = ids;
        this.users = users;
        this.arrivals = arrivals;
    }

    /** Who was described. Whoever is heard of for the first time is remembered, and linked to their account if known. */
    public Person of(Tx tx, ConnectionId connection, Described described) {
        var row = settle(tx, connection, described);
        if (row.user() != null) {
            return row.person();
        }
        var user = account(tx, connection, row);
        if (user.isEmpty()) {
            return row.person();
        }
        link(tx, row.id(), user.get());
        return new Person(row.id(), row.username(), user.get());
    }

    /** As somebody here is known to this program itself. */
    public Person here(Tx tx, UserId user) {
        var row = settle(tx, ConnectionId.HIROBA, new Described(user.hex(), null, null, null, null));
        if (row.user() == null) {
            store.link(tx, row.id(), user);
        }
        return new Person(row.id(), row.username(), user);
    }

    public Optional<Person> find(Reads reads, PersonId id) {
        return store.find(reads, id);
    }

    /** All those who are this user, at any connection. */
    public List<PersonId> are(Reads reads, UserId user) {
        return store.are(reads, user);
    }

    /** Makes this person be that user, who gets what has waited for them. */
    public void link(Tx tx, PersonId person, UserId user) {
        store.link(tx, person, user);
        arrivals.arrived(tx, person, user);
    }

    /** Looks again whether somebody for whom things wait has an account by now, and if so, lets them have it. */
    public void recognise(Tx tx, PersonId id) {
        store.lock(tx, id)
                .flatMap(row -> Optional.ofNullable(row.user()).or(() -> account(tx, store.connection(tx, id), row)))
                .ifPresent(user -> link(tx, id, user));
    }

    private PersonRow settle(Tx tx, ConnectionId connection, Described described) {
        while (true) {
            var byNumber = described.externalId() == null
                    ? Optional.<PersonRow>empty()
                    : store.byNumber(tx, connection, described.externalId());
            var byName = described.username() == null
                    ? Optional.<PersonRow>empty()
                    : store.byName(tx, connection, described.username());
            if (byName.isPresent() && isAnother(byName.get(), described.externalId())) {
                // The name has passed to somebody else.
                store.loseName(tx, byName.get().id());
                byName = Optional.empty();
            }
            if (byNumber.isPresent() && byName.isPresent() && !byNumber.get().equals(byName.get())) {
                store.merge(tx, byName.get().id(), byNumber.get().id());
            }
            var known = byNumber.or(() -> store.byName(tx, connection, described.username()))
                    .or(() -> byEmail(tx, connection, described));
            if (known.isPresent()) {
                return store.complete(tx, known.get().id(), described);
            }
            // They are there at the next look, also if somebody else has just made them.
            store.insert(tx, ids.next(), connection, described);
        }
    }

    private Optional<PersonRow> byEmail(Tx tx, ConnectionId connection, Described described) {
        return described.email() == null
                ? Optional.empty()
                : store.byEmail(tx, connection, described.email())
                        .filter(row -> !isAnother(row, described.externalId()))
                        .filter(row -> row.username() == null || described.username() == null);
    }

    private static boolean isAnother(PersonRow row, @Nullable String externalId) {
        return externalId != null
                && row.externalId() != null
                && !row.externalId().equals(externalId);
    }

    /** What GitLab tells goes before what somebody only says, and what an admin has confirmed before both. */
    private Optional<UserId> account(Tx tx, ConnectionId connection, PersonRow row) {
        return store.claimant(tx, connection, row, true)
                .or(() -> owner(tx, row.email()))
                .or(() -> store.claimant(tx, connection, row, false));
    }

    /** Whose address this is: an account's address was shown to be its owner's when the account was made. */
    private Optional<UserId> owner(Tx tx, @Nullable String email) {
        if (email == null) {
            return Optional.empty();
        }
        try {
            return users.findByEmail(tx, Email.parse(email));
        } catch (Problem e) {
            return Optional.empty();
        }
    }
}
