package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.AgentRun.Times;
import io.hiroba.agents.AgentRun.Usage;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.PostId;
import io.hiroba.social.messages.ThreadId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of runs. Whoever carries out a run writes only while the fence is that of its claim. */
final class AgentRunStore {

    /** How much longer a claim lasts than its run may take. */
    private static final Duration MARGIN = Duration.ofSeconds(30);

    /**
     * So many runs of one caller are carried out at once; others come first, however long the queue of this one is. Steps of sagas
     * do not count: their workflows say how many run at once.
     */
    private static final int MAX_RUNNING_PER_CALLER = 2;

    static final String COLUMNS = """
            r.id, r.agent_id, r.post_id, r.thread_id, r.caller_id, r.woken_by, r.depth, r.state, r.reason, r.cause, r.reply_id, r.turns,
            r.tokens_in, r.tokens_out, r.cost, r.attempts, r.created_at, r.started_at, r.ended_at, r.stopped_by""";

    /** A run to add; one with a reason is refused from the start. */
    record NewRun(
            long id,
            UserId agent,
            PostId post,
            @Nullable ThreadId thread,
            UserId caller,
            Wake wokenBy,
            int depth,
            @Nullable Reason reason) {

        private String reasonCode() {
            return reason == null ? "" : reason.code();
        }

        /** 0 for none. */
        private long threadValue() {
            return thread == null ? 0 : thread.value();
        }
    }

    /** Adds runs, except for what has woken the same agent already. */
    void add(Tx tx, Collection<NewRun> runs) {
        tx.update("""
                        INSERT INTO agents.runs (
                            id, agent_id, post_id, thread_id, caller_id, woken_by, depth, reason, state, due_at, ended_at)
                        SELECT t.id, t.agent, t.post, nullif(t.thread, 0), t.caller, t.woken_by, t.depth, nullif(t.reason, ''),
                               CASE t.reason WHEN '' THEN 'waiting' ELSE 'refused' END,
                               CASE t.reason WHEN '' THEN now() END,
                               CASE t.reason WHEN '' THEN NULL ELSE now() END
                        FROM unnest(:ids, :agents, :posts, :threads, :callers, :wakes, :depths, :reasons)
                            AS t (id, agent, post, thread, caller, woken_by, depth, reason)
                        -- Its account may be gone since.
                        JOIN accounts.user_card u ON u.id = t.caller
                        ORDER BY t.id
                        ON CONFLICT (agent_id, post_id) DO NOTHING
                        """)
                .bindArray("ids", Long.class, runs, NewRun::id)
                .bindArray("agents", Long.class, runs, run -> run.agent().value())
                .bindArray("posts", Long.class, runs, run -> run.post().value())
                .bindArray("threads", Long.class, runs, NewRun::threadValue)
                .bindArray("callers", Long.class, runs, run -> run.caller().value())
                .bindArray("wakes", String.class, runs, run -> run.wokenBy().code())
                .bindArray("depths", Integer.class, runs, NewRun::depth)
                .bindArray("reasons", String.class, runs, NewRun::reasonCode)
                .execute();
    }

    /** The depths of the runs that ended with these posts. */
    Map<PostId, Integer> depths(Reads reads, Collection<PostId> replies) {
        return reads
                .query("SELECT reply_id, depth FROM agents.runs WHERE reply_id = ANY (:replies)")
                .bindArray("replies", Long.class, replies, PostId::value)
                .map(row -> Map.entry(new PostId(row.getLong("reply_id")), row.getInt("depth")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Those of {@code users} for whom an AI writes. */
    Set<UserId> agentsAmong(Reads reads, Collection<UserId> users) {
        return reads.query("SELECT id FROM accounts.user_card WHERE id = ANY (:users) AND kind = 'agent'")
                .bindArray("users", Long.class, users, UserId::value)
                .map(row -> new UserId(row.getLong("id")))
                .set();
    }

    /** Those of {@code posts} that woke an agent. */
    Set<PostId> waking(Reads reads, Collection<PostId> posts) {
        return reads.query("SELECT DISTINCT post_id FROM agents.runs WHERE post_id = ANY (:posts)")
                .bindArray("posts", Long.class, posts, PostId::value)
                .map(row -> new PostId(row.getLong("post_id")))
                .set();
    }

    /** A run that this node carries out until its lease ends. */
    record ClaimedRun(AgentRun run, long fence) {}

    /**
     * Claims the run that has been due longest, of those whose callers have not enough runs under way. It does not wait for the disk: a claim
     * that a crash of the database loses is one that does not hold, and whatever the run commits later makes it last.
     */
    Optional<ClaimedRun> claim(Reads statement) {
        long fence = ThreadLocalRandom.current().nextLong();
        return statement
                .query("""
                        WITH soon AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
                        UPDATE agents.runs AS r
                        SET state = 'running', attempts = r.attempts + 1, started_at = coalesce(r.started_at, now()),
                            due_at = now() + (due.max_seconds + :margin) * interval '1 s', fence = :fence
                        FROM soon, (SELECT w.id, a.max_seconds FROM agents.runs w
                              JOIN agents.agents a ON a.user_id = w.agent_id
                              WHERE w.due_at <= now() AND NOT a.paused
                                AND NOT EXISTS (SELECT FROM agents.switch WHERE paused)
                                AND (w.woken_by = 'step' OR w.caller_id <> ALL (ARRAY(
                                    SELECT caller_id FROM agents.runs
                                    WHERE due_at > now() AND state = 'running' AND woken_by <> 'step'
                                    GROUP BY caller_id
                                    HAVING count(*) >= :perCaller)))
                              ORDER BY w.due_at
                              LIMIT 1
                              FOR UPDATE OF w SKIP LOCKED) AS due
                        WHERE r.id = due.id
                        RETURNING %s
                        """.formatted(COLUMNS))
                .bind("margin", MARGIN.toSeconds())
                .bind("perCaller", MAX_RUNNING_PER_CALLER)
                .bind("fence", fence)
                .map(row -> new ClaimedRun(run(row), fence))
                .findOne();
    }

    /** How long it is until the next run is due. */
    Optional<Duration> nextDueIn(Reads reads) {
        return reads.query("""
                        SELECT CAST(extract(epoch FROM due_at - now()) * 1000 AS bigint) FROM agents.runs
                        WHERE due_at > now()
                        ORDER BY due_at
                        LIMIT 1
                        """).mapTo(Long.class).findOne().map(Duration::ofMillis);
    }

    /** How long the run has been due that has been so longest, of agents that may run. */
    Optional<Duration> overdue(Reads reads) {
        return reads.query("""
                        SELECT CAST(extract(epoch FROM now() - r.due_at) * 1000 AS bigint)
                        FROM agents.runs r JOIN agents.agents a ON a.user_id = r.agent_id
                        WHERE r.due_at <= now() AND NOT a.paused AND NOT EXISTS (SELECT FROM agents.switch WHERE paused)
                        ORDER BY r.due_at
                        LIMIT 1
                        """).mapTo(Long.class).findOne().map(Duration::ofMillis);
    }

    /** Whether the claim still holds; until {@code tx} ends nobody else ends the run. */
    boolean lock(Tx tx, ClaimedRun claim) {
        return tx.query("SELECT true FROM agents.runs WHERE id = :id AND fence = :fence FOR UPDATE")
                .bind("id", claim.run().id())
                .bind("fence", claim.fence())
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }

    /** Whether the claim held a moment ago, nobody had paused the agent, and its owner, if it has one, still had the right to have it. */
    boolean isHeld(Reads reads, ClaimedRun claim) {
        return reads.query("""
                        SELECT true FROM agents.runs r JOIN agents.agents a ON a.user_id = r.agent_id
                        WHERE r.id = :id AND r.fence = :fence AND NOT a.paused
                          AND NOT EXISTS (SELECT FROM agents.switch WHERE paused)
                          AND (a.owner_id IS NULL OR EXISTS (SELECT FROM agents.makers m WHERE m.user_id = a.owner_id))
                        """)
                .bind("id", claim.run().id())
                .bind("fence", claim.fence())
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }

    /** Adds what a call of the model took. */
    void addUsage(Tx tx, long id, Usage usage) {
        tx.update("""
                        UPDATE agents.runs
                        SET turns = turns + :turns, tokens_in = tokens_in + :in, tokens_out = tokens_out + :out, cost = cost + :cost
                        WHERE id = :id
                        """)
                .bind("id", id)
                .bind("turns", usage.turns())
                .bind("in", usage.tokensIn())
                .bind("out", usage.tokensOut())
                .bind("cost", usage.cost())
                .execute();
    }

    /** The end of a run: its state, and what it was for. */
    record RunEnd(
            State state,
            @Nullable Reason reason,
            String cause,
            @Nullable PostId reply) {

        static RunEnd refused(Reason reason) {
            return new RunEnd(State.REFUSED, reason, "", null);
        }
    }

    /** Ends a run whose claim is locked. */
    void end(Tx tx, ClaimedRun claim, RunEnd end) {
        var reply = end.reply();
        tx.update("""
                        UPDATE agents.runs
                        SET state = :state, reason = :reason, cause = :cause, reply_id = :reply, due_at = NULL, ended_at = now(), fence = 0
                        WHERE id = :id AND fence = :fence
                        """)
                .bind("id", claim.run().id())
                .bind("fence", claim.fence())
                .bind("state", end.state().code())
                .bind("reason", code(end.reason()))
                .bind("cause", end.cause())
                .bind("reply", reply == null ? null : (Long) reply.value())
                .execute();
    }

    /** Gives a run back, to be tried again for {@code cause}; its claim is lost. */
    void retryIn(Tx tx, ClaimedRun claim, Duration wait, String cause) {
        tx.update("""
                        UPDATE agents.runs
                        SET state = 'waiting', due_at = now() + :wait * interval '1 ms', cause = :cause, fence = 0
                        WHERE id = :id AND fence = :fence
                        """)
                .bind("id", claim.run().id())
                .bind("fence", claim.fence())
                .bind("cause", cause)
                .bind("wait", wait.toMillis())
                .execute();
    }

    /**
     * Ends a run that has not ended, whoever carries it out; false if it has.
     *
     * @param by null if no person stops it
     */
    boolean stop(Tx tx, long id, @Nullable UserId by) {
        return tx.update("""
                        UPDATE agents.runs
                        SET state = 'stopped', stopped_by = :by, due_at = NULL, ended_at = now(), fence = 0
                        WHERE id = :id AND due_at IS NOT NULL
                        """)
                        .bind("id", id)
                        .bind("by", by == null ? null : (Long) by.value())
                        .execute()
                == 1;
    }

    Optional<AgentRun> find(Reads reads, UserId agent, long id) {
        return reads.query("SELECT %s FROM agents.runs r WHERE r.id = :id AND r.agent_id = :agent".formatted(COLUMNS))
                .bind("id", id)
                .bind("agent", agent.value())
                .map(AgentRunStore::run)
                .findOne();
    }

    /** The newest first; those for one caller, or for everybody if it is null. */
    List<AgentRun> list(Reads reads, UserId agent, @Nullable UserId caller, long before, int limit) {
        return reads.query("""
                        SELECT %s FROM agents.runs r
                        WHERE r.agent_id = :agent AND %s r.id < :before
                        ORDER BY r.id DESC
                        LIMIT :limit
                        """.formatted(COLUMNS, caller == null ? "" : "r.caller_id = :caller AND"))
                .bind("agent", agent.value())
                .bind("caller", caller == null ? null : (Long) caller.value())
                .bind("before", before)
                .bind("limit", limit)
                .map(AgentRunStore::run)
                .list();
    }

    private static @Nullable String code(@Nullable Reason reason) {
        return reason == null ? null : reason.code();
    }

    static AgentRun run(ResultSet row) throws SQLException {
        @Nullable String reason = row.getString("reason");
        long reply = row.getLong("reply_id");
        var replyId = row.wasNull() ? null : new PostId(reply);
        long stopper = row.getLong("stopped_by");
        var stoppedBy = row.wasNull() ? null : new UserId(stopper);
        long thread = row.getLong("thread_id");
        var threadId = row.wasNull() ? null : new ThreadId(thread);
        return new AgentRun(
                row.getLong("id"),
                new UserId(row.getLong("agent_id")),
                new PostId(row.getLong("post_id")),
                threadId,
                new UserId(row.getLong("caller_id")),
                Wake.parse(row.getString("woken_by")),
                row.getInt("depth"),
                State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                reason == null
                        ? null
                        : Reason.valueOf(reason.toUpperCase(Locale.ROOT).replace('-', '_')),
                row.getString("cause"),
                replyId,
                new Usage(
                        row.getInt("turns"),
                        row.getLong("tokens_in"),
                        row.getLong("tokens_out"),
                        row.getBigDecimal("cost").stripTrailingZeros()),
                row.getInt("attempts"),
                new Times(
                        Columns.instant(row, "created_at"),
                        Columns.instantOrNull(row, "started_at"),
                        Columns.instantOrNull(row, "ended_at")),
                stoppedBy);
    }
}
