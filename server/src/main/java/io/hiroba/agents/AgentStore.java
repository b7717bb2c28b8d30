package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Limits;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Rows of agents. */
final class AgentStore {

    private static final String COLUMNS = """
            user_id, instructions, tools, wake, callers, max_turns, max_seconds, daily_tokens, daily_cost, enabled, created_at,
            owner_id""";

    /** False if it is an agent already. */
    boolean insert(Tx tx, Agent agent) {
        var owner = agent.owner();
        return bound(tx, agent, """
                INSERT INTO agents.agents (
                    user_id, instructions, tools, wake, callers, max_turns, max_seconds, daily_tokens, daily_cost, enabled, owner_id)
                VALUES (:id, :instructions, :tools, :wake, :callers, :turns, :seconds, :tokens, :cost, :enabled, :owner)
                ON CONFLICT (user_id) DO NOTHING
                """)
                        .bind("owner", owner == null ? null : (Long) owner.value())
                        .execute()
                == 1;
    }

    void update(Tx tx, Agent agent) {
        bound(tx, agent, """
                UPDATE agents.agents
                SET instructions = :instructions, tools = :tools, wake = :wake, callers = :callers, max_turns = :turns,
                    max_seconds = :seconds, daily_tokens = :tokens, daily_cost = :cost, enabled = :enabled, updated_at = now()
                WHERE user_id = :id
                """).execute();
    }

    private static Update bound(Tx tx, Agent agent, String sql) {
        var limits = agent.limits();
        return tx.update(sql)
                .bind("id", agent.id().value())
                .bind("instructions", agent.instructions())
                .bindArray("tools", String.class, agent.tools())
                .bindArray("wake", String.class, agent.wake(), Wake::code)
                .bindArray("callers", Long.class, agent.callers(), UserId::value)
                .bind("turns", limits.turns())
                .bind("seconds", limits.seconds())
                .bind("tokens", limits.dailyTokens())
                .bind("cost", limits.dailyCost())
                .bind("enabled", agent.enabled());
    }

    boolean delete(Tx tx, UserId id) {
        return tx.update("DELETE FROM agents.agents WHERE user_id = :id")
                        .bind("id", id.value())
                        .execute()
                == 1;
    }

    Optional<Agent> find(Reads reads, UserId id) {
        return found(reads, id, "");
    }

    /** The agent, which stays as it is until {@code tx} ends. */
    Optional<Agent> lock(Tx tx, UserId id) {
        return found(tx, id, "FOR NO KEY UPDATE");
    }

    private static Optional<Agent> found(Reads reads, UserId id, String lock) {
        return reads.query("SELECT %s FROM agents.agents WHERE user_id = :id %s".formatted(COLUMNS, lock))
                .bind("id", id.value())
                .map(AgentStore::agent)
                .findOne();
    }

    /** Those of {@code users} that are agents, which none of them stops to be before {@code tx} ends. */
    List<Agent> lockAmong(Tx tx, Collection<UserId> users) {
        return tx.query("""
                        SELECT %s FROM agents.agents
                        WHERE user_id = ANY (:users)
                        ORDER BY user_id
                        FOR KEY SHARE
                        """.formatted(COLUMNS))
                .bindArray("users", Long.class, users, UserId::value)
                .map(AgentStore::agent)
                .list();
    }

    /** Whether another agent has this nickname, in any case and width. */
    boolean isNamed(Reads reads, String nickname, UserId except) {
        return reads.query("""
                SELECT true
                FROM agents.agents AS a
                JOIN accounts.user_card AS u ON u.id = a.user_id
                WHERE u.id <> :except AND lower(normalize(u.nickname, NFKC)) = lower(normalize(:nickname, NFKC))
                LIMIT 1
                """)
                .bind("nickname", nickname)
                .bind("except", except.value())
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }

    /** Those with this nickname, in any case. */
    List<Agent> named(Reads reads, String nickname) {
        return reads.query("""
                        SELECT %s FROM agents.agents
                        WHERE user_id IN (SELECT u.id FROM accounts.user_card u
                                          WHERE LOWER(u.nickname) = LOWER(:nickname) AND u.kind = 'agent')
                        """.formatted(COLUMNS))
                .bind("nickname", nickname)
                .map(AgentStore::agent)
                .list();
    }

    /** Those that answer, by nicknames in lower case. */
    List<UserId> answering(Reads reads, Collection<String> nicknames) {
        return reads.query("""
                        SELECT a.user_id
                        FROM unnest(:names) AS n (name)
                        JOIN accounts.user_card u ON LOWER(u.nickname) = n.name
                        JOIN agents.agents a ON a.user_id = u.id
                        WHERE a.enabled
                        """)
                .bindArray("names", String.class, nicknames)
                .map(row -> new UserId(row.getLong("user_id")))
                .list();
    }

    /** Those of one member. */
    List<UserId> ownedBy(Reads reads, UserId owner) {
        return reads.query("SELECT user_id FROM agents.agents WHERE owner_id = :owner ORDER BY user_id")
                .bind("owner", owner.value())
                .map(row -> new UserId(row.getLong("user_id")))
                .list();
    }

    /** The newest first. */
    List<Agent> list(Reads reads, long before, int limit) {
        return reads.query("""
                        SELECT %s FROM agents.agents
                        WHERE user_id < :before
                        ORDER BY user_id DESC
                        LIMIT :limit
                        """.formatted(COLUMNS))
                .bind("before", before)
                .bind("limit", limit)
                .map(AgentStore::agent)
                .list();
    }

    /** Those of the admins before those of members, the newest first. */
    List<Agent> ofAdminsFirst(Reads reads, int limit) {
        return reads.query("""
                        SELECT %s FROM agents.agents
                        ORDER BY owner_id IS NOT NULL, user_id DESC
                        LIMIT :limit
                        """.formatted(COLUMNS))
                .bind("limit", limit)
                .map(AgentStore::agent)
                .list();
    }

    /** Those that answer direct messages of {@code caller}: those of the admins before those of members, the newest first. */
    List<Agent> callable(Reads reads, UserId caller, int limit) {
        return reads.query("""
                        SELECT %s FROM agents.agents
                        WHERE enabled AND :message = ANY (wake)
                          AND (cardinality(callers) = 0 OR :caller = ANY (callers))
                          AND (owner_id IS NULL OR owner_id IN (SELECT user_id FROM agents.makers))
                        ORDER BY owner_id IS NOT NULL, user_id DESC
                        LIMIT :limit
                        """.formatted(COLUMNS))
                .bind("message", Wake.MESSAGE.code())
                .bind("caller", caller.value())
                .bind("limit", limit)
                .map(AgentStore::agent)
                .list();
    }

    private static Agent agent(ResultSet row) throws SQLException {
        long tokens = row.getLong("daily_tokens");
        var dailyTokens = row.wasNull() ? null : (Long) tokens;
        long ownerId = row.getLong("owner_id");
        var owner = row.wasNull() ? null : new UserId(ownerId);
        return new Agent(
                new UserId(row.getLong("user_id")),
                row.getString("instructions"),
                List.of((String[]) row.getArray("tools").getArray()),
                Arrays.stream((String[]) row.getArray("wake").getArray())
                        .map(Wake::parse)
                        .collect(Collectors.toSet()),
                Arrays.stream((Long[]) row.getArray("callers").getArray())
                        .map(UserId::new)
                        .toList(),
                new Limits(
                        row.getInt("max_turns"),
                        row.getInt("max_seconds"),
                        dailyTokens,
                        row.getBigDecimal("daily_cost")),
                row.getBoolean("enabled"),
                Columns.instant(row, "created_at"),
                owner);
    }
}
