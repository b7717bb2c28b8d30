package io.hiroba.inbox.fanout;

import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Mirrors resources with their details and participants. */
public final class ResourceMirror {

    private final IdGenerator ids;
    private final ResourceStore store = new ResourceStore();
    private final ResourceDetailStore details = new ResourceDetailStore();

    public ResourceMirror(IdGenerator ids) {
        this.ids = ids;
    }

    /** Upserts the snapshot unless a later one is mirrored, and locks the resource until {@code tx} ends. */
    public UpsertResult upsert(Tx tx, ResourceSnapshot snapshot) {
        while (true) {
            boolean fresh = store.insert(tx, ids.next(), snapshot);
            var found = store.lock(tx, snapshot.connection(), snapshot.details().type(), snapshot.externalId());
            if (found.isPresent()) {
                return take(tx, snapshot, found.get(), fresh);
            }
            // Somebody else has just deleted it: it is made anew.
        }
    }

    private UpsertResult take(Tx tx, ResourceSnapshot snapshot, Resource found, boolean fresh) {
        if (fresh) {
            details.write(tx, found.id(), snapshot.details());
            return new UpsertResult(current(tx, found.id()), null, true);
        }
        if (snapshot.changedAt().isBefore(found.changedAt())) {
            return new UpsertResult(found, found, false);
        }
        store.update(tx, found, snapshot);
        details.write(tx, found.id(), snapshot.details());
        return new UpsertResult(current(tx, found.id()), found, true);
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

    /** The participants of this role in the resource. */
    public List<ExternalPerson> participants(Reads reads, ResourceId id, ParticipantRole part) {
        return details.participants(reads, id, part);
    }

    /** Replaces the participants of this role. */
    public void setParticipants(Tx tx, ResourceId id, ParticipantRole part, Collection<PersonId> people) {
        details.setParticipants(tx, id, part, people);
    }

    /** Adds a participant to this role. */
    public void addParticipant(Tx tx, ResourceId id, ParticipantRole part, PersonId person) {
        details.addParticipant(tx, id, part, person);
    }
}
