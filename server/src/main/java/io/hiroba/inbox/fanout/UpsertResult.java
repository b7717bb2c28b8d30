package io.hiroba.inbox.fanout;

import org.jspecify.annotations.Nullable;

/**
 * The result of an upsert.
 *
 * @param resource as it stands now
 * @param before as it stood; none if it is new
 * @param newest whether no later snapshot is mirrored, so that {@code resource} is as the snapshot says
 */
public record UpsertResult(Resource resource, @Nullable Resource before, boolean newest) {}
