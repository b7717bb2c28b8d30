package io.hiroba.saga.workflow;

import io.hiroba.platform.db.Reads;
import java.util.Optional;

/** The table workflows. */
final class WorkflowStore {

    /** A version as it was registered. */
    record Stored(String name, int version, String definition) {}

    /** The newest version of a workflow. */
    record Head(int version, boolean enabled) {}

    Optional<Stored> find(Reads reads, String name, int version) {
        return reads.query("""
                SELECT name, version, definition FROM saga.workflows
                WHERE name = :name AND version = :version
                """)
                .bind("name", name)
                .bind("version", version)
                .map((row, ctx) ->
                        new Stored(row.getString("name"), row.getInt("version"), row.getString("definition")))
                .findOne();
    }

    Optional<Head> newest(Reads reads, String name) {
        return reads.query("""
                SELECT version, enabled FROM saga.workflows
                WHERE name = :name
                ORDER BY version DESC
                LIMIT 1
                """)
                .bind("name", name)
                .map((row, ctx) -> new Head(row.getInt("version"), row.getBoolean("enabled")))
                .findOne();
    }
}
