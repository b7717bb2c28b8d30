package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import java.util.Optional;

/** Knows the sources of knowledge. */
@FunctionalInterface
public interface KnownSources {

    /** The source as it is now; none if it is gone. */
    Optional<KnownSource> find(Reads reads, long id);

    /**
     * A source, as far as those are concerned who are told of it.
     *
     * @param failed whether some of it could not be taken in, and somebody may do something about that
     */
    record KnownSource(UserId owner, boolean isPublic, String title, boolean failed) {}
}
