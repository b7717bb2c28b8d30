package io.hiroba.inbox.fanout;

import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.ResourceId;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.List;

/**
 * Holds resources until the transaction ends, so that nothing is asked beside what is just answering it. What somebody
 * comments on comes before the comment, as where they are mirrored.
 */
final class LockStore {

    /** Answers whether the resource is still there. */
    boolean lock(Tx tx, Resource resource) {
        return lock(tx, List.of(resource.root(), resource.id())).contains(resource.id());
    }

    /** With what they are comments on. Answers those that are still there. */
    List<ResourceId> lock(Tx tx, Collection<ResourceId> resources) {
        return tx.query("""
                        SELECT r.id
                        FROM inbox.resources r
                        LEFT JOIN inbox.notes note ON note.id = r.id
                        WHERE r.id = ANY (:ids)
                           OR r.id = ANY (ARRAY(SELECT target_id FROM inbox.notes WHERE id = ANY (:ids)))
                        ORDER BY coalesce(note.target_id, r.id), note.target_id IS NOT NULL, r.id
                        FOR NO KEY UPDATE OF r
                        """)
                .bindArray("ids", Long.class, (Object[])
                        resources.stream().map(ResourceId::value).toArray(Long[]::new))
                .map(row -> new ResourceId(row.getLong("id")))
                .list();
    }
}
