package io.hiroba.records;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A change of a record that a caller requests.
 *
 * @param expected the version that the caller knows; none for whichever is there
 * @param values by their attributes' names
 * @param merged whether the values that are not given stay
 */
record RecordChange(RowId id, @Nullable Integer expected, JsonNode values, boolean merged) {}
