package io.hiroba.agents;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportLineStore.Lines;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** The statements of agents in an export: the runs that somebody called for. */
final class AgentExportStore {

    private static final Lines RUNS = new Lines("runs.jsonl", "0", """
            SELECT id::text AS key, id, agent_id, post_id, woken_by, state, reason, reply_id, turns, tokens_in, tokens_out, cost, created_at,
                   ended_at
            FROM agents.runs
            WHERE caller_id = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private AgentExportStore() {}

    static ExportPart part(Db db) {
        return new ExportPart("agents", Text.of("agents.export-part"), ExportLineStore.content(db, List.of(RUNS)));
    }
}
