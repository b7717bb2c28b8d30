package io.hiroba.knowledge;

import org.jspecify.annotations.Nullable;

/**
 * The filters of the list of sources.
 *
 * @param type only those of this type, if any is given
 * @param mine only the caller's own, and not also public ones of others
 */
public record SourceFilter(@Nullable SourceType type, boolean mine) {

    public static final SourceFilter ALL = new SourceFilter(null, false);
}
