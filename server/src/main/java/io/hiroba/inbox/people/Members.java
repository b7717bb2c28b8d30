package io.hiroba.inbox.people;

import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.PersonId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Who belongs to which namespaces, as far as it was told. Belonging to one is belonging to all below it. */
public final class Members {

    /** From here on somebody may let others in: a maintainer. */
    private static final int OWNING = 40;

    private final InstantSource clock;
    private final Duration grace;
    private final MemberStore store = new MemberStore();

    /** @param grace how long after somebody has left their items go */
    public Members(InstantSource clock, Duration grace) {
        this.clock = clock;
        this.grace = grace;
    }

    /**
     * Somebody belongs to a namespace, unless something later was told of them before.
     *
     * @param access as in GitLab, from 5 (minimal) to 50 (owner)
     * @param at by the clock of where it comes from
     */
    public void joined(Tx tx, NamespaceId namespace, PersonId person, int access, Instant at) {
        store.write(tx, namespace, person, access, at, null);
    }

    /** Somebody belongs to it no longer; their items go a while later by the clock here, unless they are back by then. */
    public void left(Tx tx, NamespaceId namespace, PersonId person, Instant at) {
        store.write(tx, namespace, person, 0, at, clock.instant().plus(grace));
    }

    /** Those who may let others in: its maintainers and owners, and those of the namespaces above. */
    public List<Person> owners(Reads reads, NamespaceId namespace) {
        return store.withAccess(reads, namespace, OWNING);
    }
}
