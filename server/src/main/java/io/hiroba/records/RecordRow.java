package io.hiroba.records;

import io.hiroba.accounts.UserId;
import java.time.Instant;
import tools.jackson.databind.node.ArrayNode;

/**
 * A record as it is stored.
 *
 * @param document its values by position, see {@link Documents}
 */
public record RecordRow(
        RowId id, int version, UserId createdBy, UserId updatedBy, Instant updatedAt, ArrayNode document) {}
