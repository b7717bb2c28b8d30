package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.PostId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Rows of what people think of replies of agents. */
final class RunFeedbackStore {

    /** The numbers of people who found something helpful, and of those who did not. */
    record ThumbCounts(long up, long down) {

        static final ThumbCounts NONE = new ThumbCounts(0, 0);

        boolean isEmpty() {
            return up + down == 0;
        }
    }

    /** The feedback of one person. */
    record Feedback(UserId user, boolean good, String comment, Instant updatedAt) {}

    /** The run that ended with a post. */
    Optional<AgentRun> run(Reads reads, PostId reply) {
        return reads.query("SELECT %s FROM agents.runs r WHERE r.reply_id = :reply".formatted(AgentRunStore.COLUMNS))
                .bind("reply", reply.value())
                .map(AgentRunStore::run)
                .findOne();
    }

    /** The runs that ended with these messages, by them. */
    Map<PostId, Long> runs(Reads reads, Collection<PostId> replies) {
        return reads
                .query("SELECT reply_id, id FROM agents.runs WHERE reply_id = ANY (:replies)")
                .bindArray("replies", Long.class, replies, PostId::value)
                .map(row -> Map.entry(new PostId(row.getLong("reply_id")), row.getLong("id")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The feedback of one person on these runs, by them. */
    Map<Long, Feedback> of(Reads reads, Collection<Long> runs, UserId user) {
        return reads
                .query("""
                        SELECT run_id, user_id, good, comment, updated_at FROM agents.feedback
                        WHERE run_id = ANY (:runs) AND user_id = :user
                        """)
                .bindArray("runs", Long.class, runs)
                .bind("user", user.value())
                .map(row -> Map.entry(row.getLong("run_id"), feedback(row)))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Adds or replaces the feedback of one person; nothing if the run was deleted meanwhile. */
    void put(Tx tx, AgentRun run, UserId user, boolean good, String comment) {
        tx.update("""
                        INSERT INTO agents.feedback (run_id, user_id, agent_id, good, comment)
                        SELECT r.id, :user, r.agent_id, :good, :comment FROM agents.runs r WHERE r.id = :run
                        ON CONFLICT (run_id, user_id) DO UPDATE
                        SET good = excluded.good, comment = excluded.comment, updated_at = now()
                        """)
                .bind("run", run.id())
                .bind("user", user.value())
                .bind("good", good)
                .bind("comment", comment)
                .execute();
    }

    void delete(Tx tx, AgentRun run, UserId user) {
        tx.update("DELETE FROM agents.feedback WHERE run_id = :run AND user_id = :user")
                .bind("run", run.id())
                .bind("user", user.value())
                .execute();
    }

    Optional<Feedback> find(Reads reads, AgentRun run, UserId user) {
        return reads.query("""
                        SELECT user_id, good, comment, updated_at FROM agents.feedback
                        WHERE run_id = :run AND user_id = :user
                        """)
                .bind("run", run.id())
                .bind("user", user.value())
                .map(RunFeedbackStore::feedback)
                .findOne();
    }

    /** Those with a comment, the newest first. */
    List<Feedback> comments(Reads reads, AgentRun run, int limit) {
        return reads.query("""
                        SELECT user_id, good, comment, updated_at FROM agents.feedback
                        WHERE run_id = :run AND comment <> ''
                        ORDER BY updated_at DESC, user_id
                        LIMIT :limit
                        """)
                .bind("run", run.id())
                .bind("limit", limit)
                .map(RunFeedbackStore::feedback)
                .list();
    }

    /** The tallies of those of {@code runs} that have any. */
    Map<Long, ThumbCounts> tallies(Reads reads, Collection<Long> runs) {
        return reads
                .query("""
                        SELECT run_id, count(*) FILTER (WHERE good) AS up, count(*) FILTER (WHERE NOT good) AS down
                        FROM agents.feedback
                        WHERE run_id = ANY (:runs)
                        GROUP BY run_id
                        """)
                .bindArray("runs", Long.class, runs)
                .map(row -> Map.entry(row.getLong("run_id"), tally(row)))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    ThumbCounts tally(Reads reads, UserId agent) {
        return reads.query("""
                        SELECT count(*) FILTER (WHERE good) AS up, count(*) FILTER (WHERE NOT good) AS down
                        FROM agents.feedback
                        WHERE agent_id = :agent
                        """)
                .bind("agent", agent.value())
                .map(RunFeedbackStore::tally)
                .one();
    }

    private static ThumbCounts tally(ResultSet row) throws SQLException {
        return new ThumbCounts(row.getLong("up"), row.getLong("down"));
    }

    private static Feedback feedback(ResultSet row) throws SQLException {
        return new Feedback(
                new UserId(row.getLong("user_id")),
                row.getBoolean("good"),
                row.getString("comment"),
                Columns.instant(row, "updated_at"));
    }
}
