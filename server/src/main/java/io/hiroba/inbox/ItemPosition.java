package io.hiroba.inbox;

import java.time.Instant;

/**
 * A position in a list, after which its next page begins.
 *
 * @param recommendedAt the item's place in the recommended order; without meaning in the others
 */
public record ItemPosition(Instant recommendedAt, ItemId id) {}
