package io.hiroba.records.tuning;

import io.hiroba.records.ProjectId;
import org.jspecify.annotations.Nullable;

/**
 * A counted use: of an attribute by itself, or as the order of records that are equal in another.
 *
 * @param equality by id; null for the attribute by itself
 */
record AttributeUse(
        ProjectId project,
        short schema,
        short attribute,
        @Nullable Short equality) {}
