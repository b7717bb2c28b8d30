package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.records.Documents;
import io.hiroba.records.RowId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * A record that was found.
 *
 * @param stored its document as text, which is handed on without being read where that will do
 * @param targets the documents of the records that it refers to, one for each of {@link QueryResult#joined}; null where there is
 *     none that the caller sees
 */
public record ResultRow(
        RowId id,
        int version,
        UserId createdBy,
        UserId updatedBy,
        Instant updatedAt,
        String stored,
        List<@Nullable String> targets) {

    public ArrayNode document() {
        return Documents.read(stored);
    }
}
