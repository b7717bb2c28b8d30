package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import java.util.Optional;

/** Knows what posts are called. */
@FunctionalInterface
public interface PostTitles {

    /** What the post is called by now; none if it is gone. */
    Optional<String> find(Reads reads, long post, UserId author);
}
