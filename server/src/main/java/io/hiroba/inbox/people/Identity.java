package io.hiroba.inbox.people;

import io.hiroba.accounts.UserId;
import java.time.Instant;

/**
 * A name that somebody says to have elsewhere.
 *
 * @param confirmed whether more than their word stands for it
 * @param waiting whether it does nothing, or not everywhere, until an admin has confirmed it
 */
public record Identity(
        IdentityId id, UserId user, ForeignName name, boolean confirmed, boolean waiting, Instant createdAt) {}
