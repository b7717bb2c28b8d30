package io.hiroba.knowledge.sources;

import io.hiroba.knowledge.SourceType;
import org.jspecify.annotations.Nullable;

/**
 * Which sources are listed.
 *
 * @param type only those of this type, if any is given
 * @param mine only the caller's own, and not also public ones of others
 */
public record SourceFilter(@Nullable SourceType type, boolean mine) {

    public static final SourceFilter ALL = new SourceFilter(null, false);
}
