package io.hiroba.knowledge;

import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads issues and merge requests through the inbox's view, and which sources are theirs. */
final class ResourceSourceStore {

    private ResourceSourceStore() {}

    /** An issue or a merge request. */
    record ResourceText(
            long resource,
            String title,
            @Nullable String url,
            String namespace,
            @Nullable String description) {}

    /** Those of {@code resources} that are there. */
    static List<ResourceText> texts(Tx tx, Collection<Long> resources) {
        return tx.query("""
                SELECT t.id, t.title, t.url, t.namespace, t.description
                FROM inbox.resource_text t
                WHERE t.id = ANY (:resources)
                """)
                .bindArray("resources", Long.class, resources)
                .map(row -> new ResourceText(
                        row.getLong("id"),
                        row.getString("title"),
                        row.getString("url"),
                        row.getString("namespace"),
                        row.getString("description")))
                .list();
    }

    /** Locks the sources of {@code resources}. */
    static Map<Long, SourceId> lock(Tx tx, Collection<Long> resources) {
        var found = new HashMap<Long, SourceId>();
        tx.query("""
                SELECT m.resource_id, s.id
                FROM knowledge.resource_sources m
                JOIN knowledge.knowledge_sources s ON s.id = m.source_id
                WHERE m.resource_id = ANY (:resources)
                ORDER BY s.id
                FOR UPDATE OF s
                """)
                .bindArray("resources", Long.class, resources)
                .map(row -> found.put(row.getLong("resource_id"), new SourceId(row.getLong("id"))) == null)
                .list();
        return found;
    }

    static void insert(Tx tx, long resource, SourceId source) {
        tx.update("INSERT INTO knowledge.resource_sources (resource_id, source_id) VALUES (:resource, :source)")
                .bind("resource", resource)
                .bind("source", source.value())
                .execute();
    }
}
