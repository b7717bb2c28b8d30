package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.platform.db.Reads;
import java.util.Optional;

/** What was mirrored before, in the database. */
final class MirrorStore {

    Optional<String> workItemType(Reads reads, ConnectionId connection, String externalId) {
        return reads.query("""
                        SELECT work_item_type
                        FROM inbox.resources
                        WHERE connection_id = :connection AND type = :type AND external_id = :external
                        """)
                .bind("connection", connection.value())
                .bind("type", ResourceType.ISSUE.code())
                .bind("external", externalId)
                .mapTo(String.class)
                .findOne();
    }
}
