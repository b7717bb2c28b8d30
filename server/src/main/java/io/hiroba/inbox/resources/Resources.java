package io.hiroba.inbox.resources;

import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The mirrored resources. */
public final class Resources {

    private final IdGenerator ids;
    private final ResourceStore store = new ResourceStore();
    private final DetailStore details = new DetailStore();
    private final PartStore parts = new PartStore();

    public Resources(IdGenerator ids) {
        this.ids = ids;
    }

    /** Takes in what was told, unless something later had been, and holds the resource locked until {@code tx} ends. */
    public Mirrored mirror(Tx tx, Told told) {
        while (true) {
            boolean fresh = store.insert(tx, ids.next(), told);
            var found = store.lock(tx, told.connection(), told.details().type(), told.externalId());
            if (found.isPresent()) {
                return take(tx, told, found.get(), fresh);
            }
            // Somebody else has just deleted it: it is made anew.
        }
    }

    private Mirrored take(Tx tx, Told told, Resource found, boolean fresh) {
        if (fresh) {
            details.write(tx, found.id(), told.details());
            return new Mirrored(current(tx, found.id()), null, true);
        }
        if (told.changedAt().isBefore(found.changedAt())) {
            return new Mirrored(found, found, false);
        }
        store.update(tx, found, told);
        details.write(tx, found.id(), told.details());
        return new Mirrored(current(tx, found.id()), found, true);
    }

    private Resource current(Reads reads, ResourceId id) {
        return store.find(reads, id).orElseThrow();
    }

    public Optional<Resource> find(Reads reads, ResourceId id) {
        return store.find(reads, id);
    }

    public Optional<Resource> find(Reads reads, ConnectionId connection, ResourceType type, String externalId) {
        return store.find(reads, connection, type, externalId);
    }

    /** Takes a resource away with every item about it or about a comment on it; answers whether it was there. */
    public boolean delete(Tx tx, ResourceId id) {
        return store.delete(tx, id);
    }

    /** Who plays this part in the resource. */
    public List<Person> players(Reads reads, ResourceId id, Part part) {
        return parts.players(reads, id, part);
    }

    /** Gives the part to exactly these people. */
    public void cast(Tx tx, ResourceId id, Part part, Collection<PersonId> people) {
        parts.cast(tx, id, part, people);
    }

    /** Gives the part to this one too. */
    public void castAlso(Tx tx, ResourceId id, Part part, PersonId person) {
        parts.add(tx, id, part, person);
    }
}
