package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import java.time.Instant;

/**
 * A claim of a user to an external name.
 *
 * @param confirmed whether it is verified by an admin or by e-mail address
 * @param waiting whether an admin has to confirm it for at least one connection
 */
public record ExternalIdentity(
        IdentityId id, UserId user, ExternalName name, boolean confirmed, boolean waiting, Instant createdAt) {}
