package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemId;

/**
 * An item that a notification request has created.
 *
 * @param done whether it was created as done, because it was resolved already
 * @param email whether its owner also wants a mail
 */
public record CreatedNotification(ItemId id, UserId user, boolean done, boolean email) {}
