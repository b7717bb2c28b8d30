package io.hiroba.records;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A change of a record that a caller requests.
 *
 * @param expected the version that the caller knows; null for any
 * @param values by attribute name
 * @param merged whether values that are not given stay
 */
record RecordChange(RowId id, @Nullable Integer expected, JsonNode values, boolean merged) {}
