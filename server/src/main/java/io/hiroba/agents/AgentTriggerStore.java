package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentTrigger.WeeklyTimes;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.PostId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of triggers, and of the messages that they sent. */
final class AgentTriggerStore {

    private static final String COLUMNS = """
            t.id, t.agent_id, t.owner_id, t.kind, t.prompt, t.at_time, t.days, t.time_zone, t.due_at, t.last_at, t.failure, t.created_at""";

    /** Lets triggers of one person be added one after the other. */
    void lockOwner(Tx tx, UserId owner) {
        tx.lock("agents.triggers", owner.hex());
    }

    int count(Reads reads, UserId owner) {
        return reads.query("SELECT count(*) FROM agents.triggers WHERE owner_id = :owner")
                .bind("owner", owner.value())
                .mapTo(Integer.class)
                .one();
    }

    void insert(Tx tx, AgentTrigger trigger) {
        var times = trigger.times();
        tx.update("""
                        INSERT INTO agents.triggers (id, agent_id, owner_id, kind, prompt, at_time, days, time_zone, due_at)
                        VALUES (:id, :agent, :owner, :kind, :prompt, CAST(:time AS time),
                                CASE WHEN :kind = 'schedule' THEN :days END, :zone, :due)
                        """)
                .bind("id", trigger.id())
                .bind("agent", trigger.agent().value())
                .bind("owner", trigger.owner().value())
                .bind("kind", trigger.kind().code())
                .bind("prompt", trigger.prompt())
                .bind("time", times == null ? null : times.time().toString())
                .bindArray("days", Short.class, times == null ? Set.<DayOfWeek>of() : times.days(), day ->
                        (short) day.getValue())
                .bind("zone", times == null ? null : times.zone().getId())
                .bind("due", trigger.dueAt())
                .execute();
    }

    boolean delete(Tx tx, UserId owner, UserId agent, long id) {
        return tx.update("DELETE FROM agents.triggers WHERE id = :id AND owner_id = :owner AND agent_id = :agent")
                        .bind("id", id)
                        .bind("owner", owner.value())
                        .bind("agent", agent.value())
                        .execute()
                == 1;
    }

    /** Those of one person, the oldest first. */
    List<AgentTrigger> list(Reads reads, UserId owner, UserId agent) {
        return reads.query("""
                        SELECT %s FROM agents.triggers t
                        WHERE t.owner_id = :owner AND t.agent_id = :agent
                        ORDER BY t.id
                        """.formatted(COLUMNS))
                .bind("owner", owner.value())
                .bind("agent", agent.value())
                .map(AgentTriggerStore::trigger)
                .list();
    }

    /** A schedule that is due; nobody else has it until {@code tx} ends. */
    Optional<AgentTrigger> lockDue(Tx tx, Instant now) {
        return tx.query("""
                        SELECT %s FROM agents.triggers t
                        WHERE t.due_at <= :now
                        ORDER BY t.due_at
                        LIMIT 1
                        FOR UPDATE SKIP LOCKED
                        """.formatted(COLUMNS))
                .bind("now", now)
                .map(AgentTriggerStore::trigger)
                .findOne();
    }

    void setDue(Tx tx, long id, Instant due) {
        tx.update("UPDATE agents.triggers SET due_at = :due WHERE id = :id")
                .bind("id", id)
                .bind("due", due)
                .execute();
    }

    /** Makes a schedule due later, unless another node has fired it since. */
    void postpone(Tx tx, AgentTrigger trigger, Instant due) {
        tx.update("UPDATE agents.triggers SET due_at = :due WHERE id = :id AND due_at = :seen")
                .bind("id", trigger.id())
                .bind("seen", trigger.dueAt())
                .bind("due", due)
                .execute();
    }

    /** The triggers of these people that items of their inboxes fire, which stay until {@code tx} ends. */
    List<AgentTrigger> lockFor(Tx tx, Collection<UserId> owners) {
        return tx.query("""
                        SELECT %s FROM agents.triggers t
                        WHERE t.owner_id = ANY (:owners) AND t.kind IN ('inbox', 'query')
                        ORDER BY t.id
                        FOR UPDATE
                        """.formatted(COLUMNS))
                .bindArray("owners", Long.class, owners, UserId::value)
                .map(AgentTriggerStore::trigger)
                .list();
    }

    /** Counts a message that a trigger is about to send; false if it has sent as many as it may on that day. */
    boolean admit(Tx tx, long id, LocalDate today, int max) {
        return tx.update("""
                        UPDATE agents.triggers
                        SET fired = CASE WHEN day = :today THEN fired ELSE 0 END + 1, day = :today
                        WHERE id = :id AND (day IS DISTINCT FROM :today OR fired < :max)
                        """)
                        .bind("id", id)
                        .bind("today", today)
                        .bind("max", max)
                        .execute()
                == 1;
    }

    void note(Tx tx, long id, Instant at, @Nullable String failure) {
        tx.update("UPDATE agents.triggers SET last_at = :at, failure = :failure WHERE id = :id")
                .bind("id", id)
                .bind("at", at)
                .bind("failure", failure)
                .execute();
    }

    void noteMessage(Tx tx, long message, long trigger, @Nullable Long item) {
        tx.update("""
                        INSERT INTO agents.trigger_messages (message_id, trigger_id, item_id)
                        VALUES (:message, :trigger, :item)
                        """)
                .bind("message", message)
                .bind("trigger", trigger)
                .bind("item", item)
                .execute();
    }

    /** The kinds of the triggers that sent these messages. */
    Map<PostId, Wake> kinds(Reads reads, Collection<PostId> messages) {
        return reads
                .query("""
                        SELECT m.message_id, t.kind FROM agents.trigger_messages m
                        JOIN agents.triggers t ON t.id = m.trigger_id
                        WHERE m.message_id = ANY (:messages)
                        """)
                .bindArray("messages", Long.class, messages, PostId::value)
                .map(row -> Map.entry(new PostId(row.getLong("message_id")), Wake.parse(row.getString("kind"))))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The item of its sender's inbox that a message is about. */
    Optional<Long> item(Reads reads, PostId message) {
        return reads.query("""
                        SELECT item_id FROM agents.trigger_messages WHERE message_id = :message AND item_id IS NOT NULL
                        """)
                .bind("message", message.value())
                .mapTo(Long.class)
                .findOne();
    }

    int sweep(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM agents.trigger_messages WHERE message_id IN (
                            SELECT message_id FROM agents.trigger_messages WHERE created_at < :before LIMIT :limit)
                        """).bind("before", before).bind("limit", limit).execute();
    }

    private static AgentTrigger trigger(ResultSet row) throws SQLException {
        @Nullable String zone = row.getString("time_zone");
        var times = zone == null
                ? null
                : new WeeklyTimes(
                        row.getObject("at_time", LocalTime.class),
                        Arrays.stream((Short[]) row.getArray("days").getArray())
                                .map(day -> DayOfWeek.of(day))
                                .collect(Collectors.toSet()),
                        ZoneId.of(zone));
        return new AgentTrigger(
                row.getLong("id"),
                new UserId(row.getLong("agent_id")),
                new UserId(row.getLong("owner_id")),
                Wake.parse(row.getString("kind")),
                row.getString("prompt"),
                times,
                Columns.instantOrNull(row, "due_at"),
                Columns.instantOrNull(row, "last_at"),
                row.getString("failure"),
                Columns.instant(row, "created_at"));
    }
}
