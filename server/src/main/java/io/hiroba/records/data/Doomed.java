package io.hiroba.records.data;

import org.jspecify.annotations.Nullable;

/**
 * A record that is to be deleted.
 *
 * @param expected the version that the caller knows; none for whichever is there
 */
public record Doomed(RowId id, @Nullable Integer expected) {}
