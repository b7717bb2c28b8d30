package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentRunStore.ClaimedRun;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of what keeps agents from answering, and of runs that wait for it. */
final class AgentPauseStore {

    /**
     * The pause and the quiet hours of an agent.
     *
     * @param open how many of its runs have not ended
     */
    record Availability(boolean paused, @Nullable QuietHours quiet, long open) {

        static final Availability ALWAYS = new Availability(false, null, 0);
    }

    /** The switch for all agents. */
    record Switch(boolean paused, Instant changedAt) {}

    Switch find(Reads reads) {
        return reads.query("SELECT paused, changed_at FROM agents.switch")
                .map(row -> new Switch(row.getBoolean("paused"), Columns.instant(row, "changed_at")))
                .one();
    }

    /** False if that is so already. */
    boolean pauseAll(Tx tx, boolean paused) {
        return tx.update("UPDATE agents.switch SET paused = :paused, changed_at = now() WHERE paused <> :paused")
                        .bind("paused", paused)
                        .execute()
                == 1;
    }

    /** False if it is paused already: by its owner, and then an admin may make the pause theirs. */
    boolean pause(Tx tx, UserId agent, boolean byAdmin) {
        return tx.update("""
                        UPDATE agents.agents SET paused = true, paused_by_admin = paused_by_admin OR :byAdmin
                        WHERE user_id = :agent AND NOT (paused AND (paused_by_admin OR NOT :byAdmin))
                        """)
                        .bind("agent", agent.value())
                        .bind("byAdmin", byAdmin)
                        .execute()
                == 1;
    }

    /** Whether an agent is, by itself or with all. */
    boolean isPaused(Reads reads, UserId agent) {
        return reads.query("""
                        SELECT a.paused OR EXISTS (SELECT FROM agents.switch WHERE paused) FROM agents.agents a
                        WHERE a.user_id = :agent
                        """)
                .bind("agent", agent.value())
                .mapTo(Boolean.class)
                .findOne()
                .orElse(false);
    }

    boolean isPausedByAdmin(Tx tx, UserId agent) {
        return tx.query("SELECT true FROM agents.agents WHERE user_id = :agent AND paused_by_admin")
                .bind("agent", agent.value())
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }

    /** False if it is not paused. */
    boolean resume(Tx tx, UserId agent) {
        return tx.update("""
                        UPDATE agents.agents SET paused = false, paused_by_admin = false
                        WHERE user_id = :agent AND paused
                        """).bind("agent", agent.value()).execute() == 1;
    }

    /** False if there is no such agent. */
    boolean setQuiet(Tx tx, UserId agent, @Nullable QuietHours quiet) {
        return tx.update("""
                        UPDATE agents.agents
                        SET quiet_from = CAST(:from AS time), quiet_until = CAST(:until AS time), quiet_zone = :zone
                        WHERE user_id = :agent
                        """)
                        .bind("agent", agent.value())
                        .bind("from", quiet == null ? null : quiet.from().toString())
                        .bind("until", quiet == null ? null : quiet.until().toString())
                        .bind("zone", quiet == null ? null : quiet.zone().getId())
                        .execute()
                == 1;
    }

    /** Makes the runs that wait for anything but an approval due. */
    void lookAgain(Tx tx, UserId agent) {
        tx.update("UPDATE agents.runs SET due_at = now() WHERE agent_id = :agent AND state = 'waiting'")
                .bind("agent", agent.value())
                .execute();
    }

    Map<UserId, Availability> of(Reads reads, Collection<UserId> agents) {
        return reads
                .query("""
                        SELECT a.user_id, a.paused, CAST(a.quiet_from AS text) AS quiet_from,
                               CAST(a.quiet_until AS text) AS quiet_until, a.quiet_zone,
                               (SELECT count(*) FROM agents.runs r
                                WHERE r.agent_id = a.user_id AND r.due_at IS NOT NULL) AS open
                        FROM agents.agents a
                        WHERE a.user_id = ANY (:agents)
                        """)
                .bindArray("agents", Long.class, agents, UserId::value)
                .map(row -> Map.entry(new UserId(row.getLong("user_id")), availability(row)))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The quiet hours of an agent, without a count of its runs: they are asked for before each of these. */
    Optional<QuietHours> quiet(Reads reads, UserId agent) {
        return reads.query("""
                        SELECT CAST(quiet_from AS text) AS quiet_from, CAST(quiet_until AS text) AS quiet_until, quiet_zone
                        FROM agents.agents
                        WHERE user_id = :agent AND quiet_from IS NOT NULL
                        """)
                .bind("agent", agent.value())
                .map(AgentPauseStore::quietHours)
                .findOne();
    }

    private static QuietHours quietHours(ResultSet row) throws SQLException {
        return new QuietHours(
                LocalTime.parse(row.getString("quiet_from")),
                LocalTime.parse(row.getString("quiet_until")),
                ZoneId.of(row.getString("quiet_zone")));
    }

    private static Availability availability(ResultSet row) throws SQLException {
        var quiet = row.getString("quiet_from") == null ? null : quietHours(row);
        return new Availability(row.getBoolean("paused"), quiet, row.getLong("open"));
    }

    /** Ends the runs that have not ended, of one agent or of all if it is null; returns how many. */
    int endRuns(Tx tx, @Nullable UserId agent) {
        return tx.update("""
                        UPDATE agents.runs SET state = 'stopped', due_at = NULL, ended_at = now(), fence = 0
                        WHERE due_at IS NOT NULL %s
                        """.formatted(agent == null ? "" : "AND agent_id = :agent"))
                .bind("agent", agent == null ? null : (Long) agent.value())
                .execute();
    }

    /** Gives a run back that this node may not go on with now, without an attempt; nothing if it is another's already. */
    void giveBack(Tx tx, ClaimedRun claim, Duration wait) {
        tx.update("""
                        UPDATE agents.runs
                        SET state = 'waiting', due_at = now() + :wait * interval '1 ms', fence = 0,
                            attempts = greatest(attempts - 1, 0)
                        WHERE id = :id AND fence = :fence
                        """)
                .bind("id", claim.run().id())
                .bind("fence", claim.fence())
                .bind("wait", wait.toMillis())
                .execute();
    }

    /** Deletes up to {@code limit} runs that ended before then; returns how many. */
    int sweep(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM agents.runs
                        WHERE id IN (
                            SELECT id FROM agents.runs
                            WHERE ended_at < :before
                            ORDER BY ended_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """)
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .bind("limit", limit)
                .execute();
    }
}
