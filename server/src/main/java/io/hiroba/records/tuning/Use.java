package io.hiroba.records.tuning;

import io.hiroba.records.ProjectId;
import org.jspecify.annotations.Nullable;

/**
 * What is counted: an attribute of a schema, by itself or as the order of records that are equal in another.
 *
 * @param equality by id; null for the attribute by itself
 */
record Use(
        ProjectId project,
        short schema,
        short attribute,
        @Nullable Short equality) {}
