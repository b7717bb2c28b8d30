package io.hiroba.inbox.items;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemState;
import io.hiroba.inbox.Resolution;
import io.hiroba.inbox.fanout.Stir;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that wants something from somebody.
 *
 * @param author none if nobody brought it about, or somebody who is gone
 * @param snoozedUntil also once it is back: until when it was put off last
 * @param snoozedEvent what it waits for while it is put off
 * @param resolvedBy how it came to be done; none until then
 */
public record Item(
        ItemId id,
        Action action,
        ItemState state,
        Subject resource,
        Place namespace,
        @Nullable ItemAuthor author,
        boolean read,
        boolean saved,
        @Nullable Instant snoozedUntil,
        @Nullable Stir snoozedEvent,
        @Nullable Resolution resolvedBy,
        Instant createdAt,
        Instant updatedAt) {}
