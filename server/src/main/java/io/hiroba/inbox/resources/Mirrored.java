package io.hiroba.inbox.resources;

import org.jspecify.annotations.Nullable;

/**
 * What became of a telling.
 *
 * @param resource as it stands now
 * @param before as it stood; none if it is new
 * @param newest whether nothing later had been told before, so that {@code resource} is what was told
 */
public record Mirrored(Resource resource, @Nullable Resource before, boolean newest) {}
