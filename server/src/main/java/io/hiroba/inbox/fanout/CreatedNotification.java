package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemId;

/**
 * An item that a notification request has created.
 *
 * @param done whether it was created as done, because what answers it is known already
 * @param email whether its owner wants a mail too
 */
public record CreatedNotification(ItemId id, UserId user, boolean done, boolean email) {}
