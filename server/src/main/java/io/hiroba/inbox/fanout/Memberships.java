package io.hiroba.inbox.fanout;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The members of namespaces, as far as they are known. Belonging to one is belonging to all below it. */
public final class Memberships {

    /** From here on somebody may let others in: a maintainer. */
    private static final int MAINTAINER = 40;

    private final InstantSource clock;
    private final Duration grace;
    private final MembershipStore store = new MembershipStore();

    /** @param grace how long after somebody has left their items go */
    public Memberships(InstantSource clock, Duration grace) {
        this.clock = clock;
        this.grace = grace;
    }

    /**
     * Somebody has joined a namespace, unless something later is known of them.
     *
     * @param access as in GitLab, from 5 (minimal) to 50 (owner)
     * @param at by the clock of its source
     */
    public void joined(Tx tx, NamespaceId namespace, PersonId person, int access, Instant at) {
        store.write(tx, namespace, person, access, at, null);
    }

    /** Somebody belongs to it no longer; their items go a while later by the clock here, unless they are back by then. */
    public void left(Tx tx, NamespaceId namespace, PersonId person, Instant at) {
        store.write(tx, namespace, person, 0, at, clock.instant().plus(grace));
    }

    /** Somebody's request for access is denied or withdrawn, unless something later is known of them. */
    public void refused(Tx tx, NamespaceId namespace, PersonId person, Instant at) {
        store.refuse(tx, namespace, person, at);
    }

    /** When somebody last joined, left or was refused. */
    public Optional<Instant> changedAt(Reads reads, NamespaceId namespace, PersonId person) {
        return store.changedAt(reads, namespace, person);
    }

    /** Finds the maintainers and owners of the namespace and of those above it. */
    public List<ExternalPerson> owners(Reads reads, NamespaceId namespace) {
        return store.withAccess(reads, namespace, MAINTAINER);
    }
}
