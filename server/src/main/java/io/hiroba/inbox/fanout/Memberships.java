package io.hiroba.inbox.fanout;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The known members of namespaces. A member of a namespace is a member of all its descendants. */
public final class Memberships {

    /** The lowest access level that may admit members. */
    private static final int MAINTAINER = 40;

    private final InstantSource clock;
    private final Duration grace;
    private final MembershipStore store = new MembershipStore();

    /** @param grace how long after somebody has left their items are deleted */
    public Memberships(InstantSource clock, Duration grace) {
        this.clock = clock;
        this.grace = grace;
    }

    /**
     * Records that somebody has joined a namespace, unless a later change is known.
     *
     * @param access as in GitLab, from 5 (minimal) to 50 (owner)
     * @param at by the clock of its source
     */
    public void join(Tx tx, NamespaceId namespace, PersonId person, int access, Instant at) {
        store.write(tx, namespace, person, access, at, null);
    }

    /** Records that somebody has left; their items are deleted after the grace period, unless they are back by then. */
    public void leave(Tx tx, NamespaceId namespace, PersonId person, Instant at) {
        store.write(tx, namespace, person, 0, at, clock.instant().plus(grace));
    }

    /** Records that a request for access was denied or withdrawn, unless a later change is known. */
    public void refuse(Tx tx, NamespaceId namespace, PersonId person, Instant at) {
        store.refuse(tx, namespace, person, at);
    }

    /** The time of the last join, leave or refusal. */
    public Optional<Instant> changedAt(Reads reads, NamespaceId namespace, PersonId person) {
        return store.changedAt(reads, namespace, person);
    }

    /** Finds the maintainers and owners of the namespace and its ancestors. */
    public List<ExternalPerson> owners(Reads reads, NamespaceId namespace) {
        return store.withAccess(reads, namespace, MAINTAINER);
    }
}
