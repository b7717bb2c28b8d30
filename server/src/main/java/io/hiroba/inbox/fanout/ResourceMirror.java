package io.hiroba.inbox.fanout;

import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
                return apply(tx, snapshot, found.get(), fresh);
            }
            // Another transaction has just deleted it: insert it again.
        }
    }

    private UpsertResult apply(Tx tx, ResourceSnapshot snapshot, Resource found, boolean fresh) {
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

    /** Deletes a resource with the items about it and its comments; returns whether it existed. */
    public boolean delete(Tx tx, ResourceId id) {
        return store.delete(tx, id);
    }

    public List<ExternalPerson> participants(Reads reads, ResourceId id, ParticipantRole role) {
        return details.participants(reads, id, role);
    }

    public void setParticipants(Tx tx, ResourceId id, ParticipantRole role, Collection<PersonId> people) {
        details.setParticipants(tx, id, role, people);
    }

    public void addParticipant(Tx tx, ResourceId id, ParticipantRole role, PersonId person) {
        details.addParticipant(tx, id, role, person);
    }

    /**
     * The result of an upsert.
     *
     * @param before the former state; null if the resource is new
     * @param newest whether no later snapshot is mirrored, so that {@code resource} is as the snapshot says
     */
    public record UpsertResult(Resource resource, @Nullable Resource before, boolean newest) {}
}
