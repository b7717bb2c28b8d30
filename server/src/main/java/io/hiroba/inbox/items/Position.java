package io.hiroba.inbox.items;

import io.hiroba.inbox.ItemId;
import java.time.Instant;

/**
 * A place in a list of items, behind which its next page begins.
 *
 * @param recommendedAt the item's place in the recommended order; without meaning in the others
 */
public record Position(Instant recommendedAt, ItemId id) {}
