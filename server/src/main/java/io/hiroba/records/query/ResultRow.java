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
 * @param stored the document as text, passed on unparsed where possible
 * @param targets the documents of the referenced records, one for each of {@link QueryResult#joined}; null for those
 *     that the caller cannot read
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
