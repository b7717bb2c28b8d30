package io.hiroba.records.data;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is to become of a record.
 *
 * @param expected the version that the caller knows; none for whichever is there
 * @param values by their attributes' names
 * @param merged whether the values that are not given stay
 */
public record Change(RowId id, @Nullable Integer expected, JsonNode values, boolean merged) {}
