package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentAction.Origin;
import io.hiroba.agents.AgentAction.State;
import io.hiroba.agents.AgentRunStore.ClaimedRun;
import io.hiroba.agents.AgentTools.ToolAnswer;
import io.hiroba.agents.model.ModelMessage.Assistant;
import io.hiroba.agents.model.ModelMessage.ToolCall;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.PostId;
import io.hiroba.social.messages.ThreadId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Rows of turns that asked for tools, and of the changes that they asked for. They are written while the run is locked. */
final class AgentActionStore {

    private static final String COLUMNS = """
            a.id, a.run_id, r.agent_id, r.caller_id, r.post_id AS question_id, r.thread_id, r.woken_by, a.turn, a.position, a.tool, a.input, a.title, a.state,
            a.comment, a.created_at, a.expires_at, a.answer, a.failed, a.tool_version,
            (SELECT split_part(q.key, ':', 1) FROM agents.step_questions q WHERE q.run_id = a.run_id) AS saga""";

    /** Keeps a turn, unless it is kept. */
    void keep(Tx tx, long run, int turn, Assistant message) {
        tx.update("""
                        INSERT INTO agents.turns (run_id, turn, content, calls) VALUES (:run, :turn, :content, :calls)
                        ON CONFLICT (run_id, turn) DO NOTHING
                        """)
                .bind("run", run)
                .bind("turn", turn)
                .bind("content", message.text().replace("\u0000", ""))
                .bind("calls", JsonMapper.shared().writeValueAsString(message.toolCalls()))
                .execute();
    }

    /** The turns that are kept, in their order. */
    List<Assistant> turns(Reads reads, long run) {
        return reads.query("SELECT content, calls FROM agents.turns WHERE run_id = :run ORDER BY turn")
                .bind("run", run)
                .map(row -> new Assistant(
                        row.getString("content"),
                        JsonMapper.shared().readValue(row.getString("calls"), new TypeReference<List<ToolCall>>() {})))
                .list();
    }

    /**
     * An action to add.
     *
     * @param timeout how long it may be approved
     * @param refusal why it is not to be carried out; null unless it is refused
     */
    record NewAction(
            long id,
            int position,
            String tool,
            String input,
            String title,
            State state,
            Duration timeout,
            @Nullable String refusal,
            String version) {}

    /** Adds an action, unless there is one at its place. */
    void add(Tx tx, long run, int turn, NewAction action) {
        tx.update("""
                        INSERT INTO agents.actions (
                            id, run_id, turn, position, tool, input, title, state, expires_at, answer, failed, ended_at,
                            tool_version)
                        VALUES (:id, :run, :turn, :position, :tool, :input, :title, :state,
                                CASE WHEN :state = 'open' THEN now() + :timeout * interval '1 ms' END,
                                :refusal, :state = 'refused', CASE WHEN :state = 'refused' THEN now() END, :version)
                        ON CONFLICT (run_id, turn, position) DO NOTHING
                        """)
                .bind("id", action.id())
                .bind("run", run)
                .bind("turn", turn)
                .bind("position", action.position())
                .bind("tool", action.tool())
                .bind("input", action.input())
                .bind("title", action.title())
                .bind("state", action.state().code())
                .bind("timeout", action.timeout().toMillis())
                .bind("refusal", action.refusal())
                .bind("version", action.version())
                .execute();
    }

    /** The ends of approvals, by their ids. */
    Map<Long, Instant> deadlines(Reads reads, Collection<Long> ids) {
        return reads
                .query("SELECT id, expires_at FROM agents.actions WHERE id = ANY (:ids) AND expires_at IS NOT NULL")
                .bindArray("ids", Long.class, ids)
                .map(row -> Map.entry(row.getLong("id"), Columns.instant(row, "expires_at")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    int count(Reads reads, long run) {
        return reads.query("SELECT count(*) FROM agents.actions WHERE run_id = :run AND state <> 'refused'")
                .bind("run", run)
                .mapTo(Integer.class)
                .one();
    }

    /** Closes what nobody decided about in time. */
    void expire(Tx tx, long run) {
        tx.update("""
                        UPDATE agents.actions SET state = 'overdue'
                        WHERE run_id = :run AND state = 'open' AND expires_at <= now()
                        """).bind("run", run).execute();
    }

    /** Leaves a run until the first of its approvals expires; false if it waits for none. The claim is given up. */
    boolean park(Tx tx, ClaimedRun claim) {
        return tx.update("""
                        UPDATE agents.runs AS r
                        SET state = 'approval', due_at = open.expires_at, fence = 0, attempts = 0
                        FROM (SELECT min(expires_at) AS expires_at FROM agents.actions
                              WHERE run_id = :run AND state = 'open') AS open
                        WHERE r.id = :run AND r.fence = :fence AND open.expires_at IS NOT NULL
                        """)
                        .bind("run", claim.run().id())
                        .bind("fence", claim.fence())
                        .execute()
                == 1;
    }

    /** The actions of a turn by their positions. */
    Map<Integer, AgentAction> of(Reads reads, long run, int turn) {
        return reads
                .query("""
                        SELECT %s FROM agents.actions a JOIN agents.runs r ON r.id = a.run_id
                        WHERE a.run_id = :run AND a.turn = :turn
                        """.formatted(COLUMNS))
                .bind("run", run)
                .bind("turn", turn)
                .map(AgentActionStore::action)
                .list()
                .stream()
                .collect(Collectors.toMap(action -> action.origin().position(), action -> action));
    }

    /** Notes that an action is about to be carried out; how long ago that was first so, zero only if it is now. */
    Duration begin(Tx tx, long id) {
        return tx.query("""
                        UPDATE agents.actions SET started_at = coalesce(started_at, now())
                        WHERE id = :id
                        RETURNING CASE WHEN started_at < now()
                                  THEN greatest(1, CAST(extract(epoch FROM now() - started_at) * 1000 AS bigint)) ELSE 0 END
                        """)
                .bind("id", id)
                .mapTo(Long.class)
                .findOne()
                .map(Duration::ofMillis)
                .orElse(Duration.ZERO);
    }

    void end(Tx tx, long id, ToolAnswer answer, @Nullable PostId post) {
        tx.update("""
                        UPDATE agents.actions
                        SET ended_at = now(), answer = :answer, failed = :failed, post_id = :post
                        WHERE id = :id AND ended_at IS NULL
                        """)
                .bind("id", id)
                .bind("answer", answer.text())
                .bind("failed", answer.failed())
                .bind("post", post == null ? null : (Long) post.value())
                .execute();
    }

    /** An action that somebody is or was asked about. */
    Optional<AgentAction> find(Reads reads, long id) {
        return reads.query("""
                        SELECT %s FROM agents.actions a JOIN agents.runs r ON r.id = a.run_id
                        WHERE a.id = :id AND a.expires_at IS NOT NULL
                        """.formatted(COLUMNS))
                .bind("id", id)
                .map(AgentActionStore::action)
                .findOne();
    }

    /** Locks the run of an action, as everybody does who changes either. */
    void lockRun(Tx tx, long run) {
        tx.query("SELECT true FROM agents.runs WHERE id = :run FOR UPDATE")
                .bind("run", run)
                .mapTo(Boolean.class)
                .findOne();
    }

    /** Decides about an action whose run is locked; false if that is too late. The run goes on once nothing else is open. */
    boolean decide(Tx tx, AgentAction action, State state, String comment) {
        boolean decided = tx.update("""
                        UPDATE agents.actions SET state = :state, comment = :comment, decided_at = now()
                        WHERE id = :id AND state = 'open' AND expires_at > now()
                        """)
                        .bind("id", action.id())
                        .bind("state", state.code())
                        .bind("comment", comment)
                        .execute()
                == 1;
        if (decided) {
            tx.update("""
                            UPDATE agents.runs SET state = 'waiting', due_at = now()
                            WHERE id = :run AND state = 'approval'
                              AND NOT EXISTS (SELECT FROM agents.actions WHERE run_id = :run AND state = 'open')
                            """).bind("run", action.origin().run()).execute();
        }
        return decided;
    }

    /** The depths of the runs that made these posts. */
    Map<PostId, Integer> depths(Reads reads, Collection<PostId> posts) {
        return reads
                .query("""
                        SELECT a.post_id, r.depth FROM agents.actions a JOIN agents.runs r ON r.id = a.run_id
                        WHERE a.post_id = ANY (:posts)
                        """)
                .bindArray("posts", Long.class, posts, PostId::value)
                .map(row -> Map.entry(new PostId(row.getLong("post_id")), row.getInt("depth")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Math::max));
    }

    /** The greatest depths of the runs of these agents that are about to change something. */
    Map<UserId, Integer> depthsUnderWay(Reads reads, Collection<UserId> agents) {
        return reads
                .query("""
                        SELECT r.agent_id, max(r.depth) AS depth
                        FROM agents.actions a JOIN agents.runs r ON r.id = a.run_id
                        WHERE a.started_at IS NOT NULL AND a.ended_at IS NULL AND r.agent_id = ANY (:agents)
                        GROUP BY r.agent_id
                        """)
                .bindArray("agents", Long.class, agents, UserId::value)
                .map(row -> Map.entry(new UserId(row.getLong("agent_id")), row.getInt("depth")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static AgentAction action(ResultSet row) throws SQLException {
        long thread = row.getLong("thread_id");
        boolean isPost = row.wasNull();
        var question = row.getString("woken_by").equals(Agent.Wake.STEP.code())
                ? "/sagas/" + row.getString("saga")
                : isPost ? "/posts/" + new PostId(row.getLong("question_id")) : "/messages/" + new ThreadId(thread);
        return new AgentAction(
                row.getLong("id"),
                new Origin(
                        row.getLong("run_id"),
                        new UserId(row.getLong("agent_id")),
                        new UserId(row.getLong("caller_id")),
                        question,
                        row.getInt("turn"),
                        row.getInt("position")),
                row.getString("tool"),
                row.getString("input"),
                row.getString("title"),
                State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getString("comment"),
                Columns.instant(row, "created_at"),
                Columns.instantOrNull(row, "expires_at"),
                row.getString("answer"),
                row.getBoolean("failed"),
                row.getString("tool_version"));
    }
}
