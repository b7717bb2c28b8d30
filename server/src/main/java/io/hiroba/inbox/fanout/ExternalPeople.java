package io.hiroba.inbox.fanout;

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

/** The people at connections, each stored once whether they are described by id, user name or e-mail address. */
public final class ExternalPeople {

    /** A listener to links between people and accounts. */
    @FunctionalInterface
    public interface AccountLinkListener {

        void accountLinked(Tx tx, PersonId person, UserId user);
    }

    private final IdGenerator ids;
    private final Users users;
    private final AccountLinkListener listener;
    private final ExternalPersonStore store = new ExternalPersonStore();
    private final IdentityStore identities = new IdentityStore();

    public ExternalPeople(IdGenerator ids, Users users, AccountLinkListener listener) {
        this.ids = ids;
        this.users = users;
        this.listener = listener;
    }

    /** Upserts the person of a description, and links them to their account if it is known. */
    public ExternalPerson of(Tx tx, ConnectionId connection, PersonDescription described) {
        var row = upsert(tx, connection, described);
        if (row.user() != null) {
            return row.person();
        }
        var user = account(tx, connection, row);
        if (user.isEmpty()) {
            return row.person();
        }
        link(tx, row.id(), user.get());
        return new ExternalPerson(row.id(), row.username(), user.get());
    }

    /** The person of an account at the connection of Hiroba itself. */
    public ExternalPerson local(Tx tx, UserId user) {
        var row = upsert(tx, ConnectionId.HIROBA, new PersonDescription(user.hex(), null, null, null, null));
        if (row.user() == null) {
            store.link(tx, row.id(), user);
        }
        return new ExternalPerson(row.id(), row.username(), user);
    }

    public Optional<ExternalPerson> find(Reads reads, PersonId id) {
        return store.find(reads, id);
    }

    /** The people who are linked to this account, at any connection. */
    public List<PersonId> idsOf(Reads reads, UserId user) {
        return store.idsOf(reads, user);
    }

    /** Links a person to an account, which gets the items that are pending for them. */
    public void link(Tx tx, PersonId person, UserId user) {
        store.link(tx, person, user);
        listener.accountLinked(tx, person, user);
    }

    /** Links a person with pending items to their account if they have one by now. */
    public void linkKnown(Tx tx, PersonId id) {
        store.lock(tx, id)
                .flatMap(row -> Optional.ofNullable(row.user()).or(() -> account(tx, store.connection(tx, id), row)))
                .ifPresent(user -> link(tx, id, user));
    }

    private ExternalPersonStore.PersonRow upsert(Tx tx, ConnectionId connection, PersonDescription described) {
        while (true) {
            var byExternalId = described.externalId() == null
                    ? Optional.<ExternalPersonStore.PersonRow>empty()
                    : store.byExternalId(tx, connection, described.externalId());
            var byUsername = described.username() == null
                    ? Optional.<ExternalPersonStore.PersonRow>empty()
                    : store.byUsername(tx, connection, described.username());
            if (byUsername.isPresent() && isAnother(byUsername.get(), described.externalId())) {
                // The name has passed to somebody else.
                store.clearUsername(tx, byUsername.get().id());
                byUsername = Optional.empty();
            }
            if (byExternalId.isPresent()
                    && byUsername.isPresent()
                    && !byExternalId.get().equals(byUsername.get())) {
                store.merge(tx, byUsername.get().id(), byExternalId.get().id());
            }
            var known = byExternalId
                    .or(() -> store.byUsername(tx, connection, described.username()))
                    .or(() -> byEmail(tx, connection, described));
            if (known.isPresent()) {
                var completed = store.complete(tx, known.get().id(), described);
                if (completed.isRenamedFrom(known.get())) {
                    identities.rename(tx, completed.id());
                }
                return completed;
            }
            // The next round finds them, also if another transaction has just inserted them.
            store.insert(tx, ids.next(), connection, described);
        }
    }

    private Optional<ExternalPersonStore.PersonRow> byEmail(
            Tx tx, ConnectionId connection, PersonDescription described) {
        return described.email() == null
                ? Optional.empty()
                : store.byEmail(tx, connection, described.email())
                        .filter(row -> !isAnother(row, described.externalId()))
                        .filter(row -> row.username() == null || described.username() == null);
    }

    private static boolean isAnother(ExternalPersonStore.PersonRow row, @Nullable String externalId) {
        return externalId != null
                && row.externalId() != null
                && !row.externalId().equals(externalId);
    }

    /** Finds the account of a person: first by a confirmed claim, then by e-mail address, then by an unconfirmed claim. */
    private Optional<UserId> account(Tx tx, ConnectionId connection, ExternalPersonStore.PersonRow row) {
        return store.claimant(tx, connection, row, true)
                .or(() -> owner(tx, row.email()))
                .or(() -> store.claimant(tx, connection, row, false));
    }

    /** Finds the account with this e-mail address, which was verified when the account was created. */
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
