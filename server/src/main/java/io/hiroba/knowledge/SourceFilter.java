package io.hiroba.knowledge;

import org.jspecify.annotations.Nullable;

/**
 * The filters of the list of sources.
 *
 * @param type the only type to list; null for all
 * @param mine whether to list the caller's own only
 */
public record SourceFilter(@Nullable SourceType type, boolean mine) {

    public static final SourceFilter ALL = new SourceFilter(null, false);
}
