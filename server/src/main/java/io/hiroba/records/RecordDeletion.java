package io.hiroba.records;

import org.jspecify.annotations.Nullable;

/**
 * A deletion of a record that a caller requests.
 *
 * @param expected the version that the caller knows; null for any
 */
record RecordDeletion(RowId id, @Nullable Integer expected) {}
