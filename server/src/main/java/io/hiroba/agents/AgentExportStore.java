package io.hiroba.agents;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportLineStore.Lines;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** The statements of agents in an export: the runs that somebody called for, what they changed, and feedback. */
final class AgentExportStore {

    private static final Lines RUNS = new Lines("runs.jsonl", "0", """
            SELECT id::text AS key, id, agent_id, post_id, thread_id, woken_by, state, reason, reply_id, turns, tokens_in, tokens_out, cost, created_at,
                   ended_at, stopped_by
            FROM agents.runs
            WHERE caller_id = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines ACTIONS = new Lines("actions.jsonl", "0", """
            SELECT a.id::text AS key, a.id, a.run_id, a.tool, a.input, a.state, a.comment, a.answer, a.failed, a.created_at, a.decided_at,
                   a.ended_at
            FROM agents.actions a
            JOIN agents.runs r ON r.id = a.run_id
            WHERE r.caller_id = :user AND a.id > CAST(:after AS bigint)
            ORDER BY a.id
            LIMIT :limit
            """);

    private static final Lines FEEDBACK = new Lines("feedback.jsonl", "0", """
            SELECT f.run_id::text AS key, f.run_id, f.agent_id, r.reply_id, f.good, f.comment, f.created_at, f.updated_at
            FROM agents.feedback f
            JOIN agents.runs r ON r.id = f.run_id
            WHERE f.user_id = :user AND f.run_id > CAST(:after AS bigint)
            ORDER BY f.run_id
            LIMIT :limit
            """);

    private static final Lines TRIGGERS = new Lines("triggers.jsonl", "0", """
            SELECT id::text AS key, id, agent_id, kind, prompt, at_time, days, time_zone, due_at, last_at, failure, created_at
            FROM agents.triggers
            WHERE owner_id = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines OWN_AGENTS = new Lines("own-agents.jsonl", "0", """
            SELECT user_id::text AS key, user_id AS id, instructions, tools, wake, callers, max_turns, max_seconds, daily_tokens, daily_cost,
                   enabled, paused, quiet_from, quiet_until, quiet_zone, created_at, updated_at
            FROM agents.agents
            WHERE owner_id = :user AND user_id > CAST(:after AS bigint)
            ORDER BY user_id
            LIMIT :limit
            """);

    private static final Lines MAKER = new Lines("maker.jsonl", "0", """
            SELECT user_id::text AS key, granted_at, day, made
            FROM agents.makers
            WHERE user_id = :user AND user_id > CAST(:after AS bigint)
            LIMIT :limit
            """);

    private AgentExportStore() {}

    static ExportPart part(Db db) {
        return new ExportPart(
                "agents",
                Text.of("agents.export-part"),
                ExportLineStore.content(db, List.of(RUNS, ACTIONS, FEEDBACK, TRIGGERS, OWN_AGENTS, MAKER)));
    }
}
