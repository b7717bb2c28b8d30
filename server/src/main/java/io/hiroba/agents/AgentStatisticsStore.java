package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentStatistics.CauseCount;
import io.hiroba.agents.AgentStatistics.Range;
import io.hiroba.agents.AgentStatistics.RunCounts;
import io.hiroba.agents.AgentStatistics.RunTotals;
import io.hiroba.agents.AgentStatistics.SpanCounts;
import io.hiroba.agents.RunFeedbackStore.ThumbCounts;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.id.Ids;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts runs from a moment on, at most so many of them: ids are in the order of time, so that each look is a part of one index. */
final class AgentStatisticsStore {

    private static final int MAX_AGENTS = 200;

    private static final String COLUMNS = """
            r.id, r.agent_id, r.state, r.reason, r.cost, r.tokens_in + r.tokens_out AS tokens,
            CASE r.state WHEN 'answered'
                THEN CAST(extract(epoch FROM r.ended_at - r.created_at) AS double precision) END AS seconds""";

    /** The newest runs of all agents. */
    private static final String OF_ALL = """
            WITH looked AS MATERIALIZED (
                SELECT %s
                FROM agents.runs r
                WHERE r.id >= :from
                ORDER BY r.id DESC
                LIMIT :limit)
            """.formatted(COLUMNS);

    /** The newest runs of each of some agents. */
    private static final String OF_SOME = """
            WITH looked AS MATERIALIZED (
                SELECT found.id, found.agent_id, found.state, found.reason, found.cost, found.tokens, found.seconds
                FROM unnest(:agents) AS a (id)
                CROSS JOIN LATERAL (
                    SELECT %s
                    FROM agents.runs r
                    WHERE r.agent_id = a.id AND r.id >= :from
                    ORDER BY r.id DESC
                    LIMIT :limit) AS found)
            """.formatted(COLUMNS);

    /**
     * The runs to look at.
     *
     * @param agents null for those of all agents
     */
    record Look(Range range, Instant from, @Nullable List<UserId> agents, int limit) {

        Query query(Reads reads, String lead, String sql) {
            var query = reads.query(lead + (agents == null ? OF_ALL : OF_SOME) + sql)
                    .bind("from", Ids.lowestAt(from))
                    .bind("limit", limit);
            return agents == null ? query : query.bindArray("agents", Long.class, agents, UserId::value);
        }
    }

    static final String TOTALS = """
            SELECT agent_id, count(*) AS runs,
                   count(*) FILTER (WHERE state = 'answered') AS answered, count(*) FILTER (WHERE state = 'refused') AS refused,
                   count(*) FILTER (WHERE state = 'failed') AS failed, count(*) FILTER (WHERE state = 'stopped') AS stopped,
                   count(*) FILTER (WHERE state IN ('waiting', 'running', 'approval')) AS open,
                   coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost), 0) AS cost,
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS p50,
                   percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds) AS p95
            FROM looked
            GROUP BY GROUPING SETS ((agent_id), ())
            ORDER BY agent_id IS NOT NULL, count(*) DESC, agent_id
            LIMIT :shown
            """;

    /** All runs first, and then those of each agent, the one with most runs first. */
    List<RunTotals> totals(Reads reads, Look look) {
        return look.query(reads, "", TOTALS)
                .bind("shown", MAX_AGENTS + 1)
                .map(AgentStatisticsStore::total)
                .list();
    }

    /** The thumbs for these runs by agent, and for all of them under the id 0. */
    Map<Long, ThumbCounts> thumbs(Reads reads, Look look) {
        var thumbs = new HashMap<Long, ThumbCounts>();
        look.query(reads, "", """
                        SELECT coalesce(l.agent_id, 0) AS agent_id, count(*) FILTER (WHERE f.good) AS up,
                               count(*) FILTER (WHERE NOT f.good) AS down
                        FROM looked l JOIN agents.feedback f ON f.run_id = l.id
                        WHERE f.run_id >= :from
                        GROUP BY GROUPING SETS ((l.agent_id), ())
                        """)
                .map(row ->
                        thumbs.put(row.getLong("agent_id"), new ThumbCounts(row.getLong("up"), row.getLong("down"))))
                .list();
        return thumbs;
    }

    /** Why runs ended without an answer, the most frequent cause first. */
    List<CauseCount> causes(Reads reads, Look look) {
        return look.query(reads, "", """
                        SELECT state, reason, count(*) AS runs FROM looked
                        WHERE reason IS NOT NULL AND state IN ('failed', 'refused')
                        GROUP BY state, reason
                        ORDER BY count(*) DESC, state, reason
                        """)
                .map(row -> new CauseCount(row.getString("state"), row.getString("reason"), row.getLong("runs")))
                .list();
    }

    /** The counts of those spans of time in which there were runs, by their numbers. */
    Map<Integer, SpanCounts> spans(Reads reads, Look look) {
        var spans = new HashMap<Integer, SpanCounts>();
        look.query(reads, "", """
                        SELECT CAST(((id >> 20) - :fromMillis) / :spanMillis AS integer) AS span,
                               count(*) FILTER (WHERE state = 'answered') AS answered,
                               count(*) FILTER (WHERE state IN ('failed', 'refused')) AS failed,
                               count(*) FILTER (WHERE state NOT IN ('answered', 'failed', 'refused')) AS other,
                               coalesce(sum(cost), 0) AS cost
                        FROM looked
                        GROUP BY 1
                        """)
                .bind("fromMillis", look.from().toEpochMilli())
                .bind("spanMillis", look.range().span().toMillis())
                .map(row -> spans.put(
                        row.getInt("span"),
                        new SpanCounts(
                                row.getLong("answered"),
                                row.getLong("failed"),
                                row.getLong("other"),
                                row.getBigDecimal("cost").stripTrailingZeros())))
                .list();
        return spans;
    }

    /** The names of accounts. */
    Map<UserId, String> names(Reads reads, Collection<UserId> agents) {
        var names = new HashMap<UserId, String>();
        reads.query("SELECT id, nickname FROM accounts.user_card WHERE id = ANY (:agents)")
                .bindArray("agents", Long.class, agents, UserId::value)
                .map(row -> names.put(new UserId(row.getLong("id")), row.getString("nickname")))
                .list();
        return names;
    }

    private static RunTotals total(ResultSet row) throws SQLException {
        long agent = row.getLong("agent_id");
        var id = row.wasNull() ? null : new UserId(agent);
        return new RunTotals(
                id,
                new RunCounts(
                        row.getLong("runs"),
                        row.getLong("answered"),
                        row.getLong("refused"),
                        row.getLong("failed"),
                        row.getLong("stopped"),
                        row.getLong("open")),
                row.getLong("tokens"),
                row.getBigDecimal("cost").stripTrailingZeros(),
                seconds(row, "p50"),
                seconds(row, "p95"));
    }

    private static @Nullable Double seconds(ResultSet row, String column) throws SQLException {
        double seconds = row.getDouble(column);
        return row.wasNull() ? null : (Double) seconds;
    }
}
