package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemId;

/**
 * An item that was given to somebody.
 *
 * @param done whether it was done when it came, because what answers it was told before
 * @param email whether its owner wants a mail too
 */
public record Made(ItemId id, UserId user, boolean done, boolean email) {}
