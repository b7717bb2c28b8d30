package io.hiroba.saga;

import io.hiroba.platform.db.Reads;
import java.util.Map;
import java.util.TreeMap;

/** Counts the sagas of each version of a workflow. */
final class WorkflowUseStore {

    static final String VERSIONS = """
            SELECT workflow_version, count(*) AS sagas
            FROM (
                SELECT workflow_version
                FROM saga.saga_states
                WHERE workflow_name = :workflow AND status = :status
                ORDER BY id
                LIMIT :max) AS oldest
            GROUP BY workflow_version
            """;

    /** How many of the oldest {@code max} sagas have each version: those that were left behind are the oldest. */
    Map<Integer, Integer> versions(Reads reads, String workflow, SagaStatus status, int max) {
        var versions = new TreeMap<Integer, Integer>();
        reads.query(VERSIONS)
                .bind("workflow", workflow)
                .bind("status", status.name())
                .bind("max", max)
                .map(row -> versions.put(row.getInt("workflow_version"), row.getInt("sagas")))
                .list();
        return versions;
    }
}
