package io.hiroba.inbox.api;

import io.hiroba.accounts.Caller;
import java.util.Optional;

/** The posts that somebody may read. */
@FunctionalInterface
public interface ReadablePosts {

    /** None if the caller may not read it, or there is none. */
    Optional<Titled> find(Caller caller, long post);

    /**
     * A post.
     *
     * @param title how it begins, as plain text
     */
    record Titled(long id, String title) {}
}
