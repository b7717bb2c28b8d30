package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import java.time.Instant;

/**
 * A claim of a user to a name elsewhere.
 *
 * @param confirmed whether more than their word stands for it
 * @param waiting whether it does nothing, or not everywhere, until an admin has confirmed it
 */
public record ExternalIdentity(
        IdentityId id, UserId user, ExternalName name, boolean confirmed, boolean waiting, Instant createdAt) {}
