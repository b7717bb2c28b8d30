package io.hiroba.saga.schedule;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlStatement;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.schedule.Schedule.CatchUp;
import io.hiroba.saga.schedule.Schedule.Overlap;
import io.hiroba.saga.schedule.Schedule.Run;
import io.hiroba.saga.schedule.Schedule.Settings;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes schedules and their runs. All times are by the clock of the database. */
final class ScheduleStore {

    private static final String COLUMNS = """
            s.id, s.name, s.workflow_name, s.cron, s.every_ms, s.time_zone, s.payload::text AS payload, s.priority, s.overlap, s.catch_up,
            s.window_ms, s.start_at, s.end_at, s.paused, s.note, s.next_at, s.handled_until, s.waiting_at, s.error_message,
            s.error_at, s.created_by, coalesce(s.owner, s.created_by) AS owner, s.created_at, s.updated_at
            """;

    private static final String WITH_LAST_RUN = "SELECT " + COLUMNS + """
            , r.saga_id, r.due_at, r.status
            FROM %s
            LEFT JOIN LATERAL (
                SELECT n.saga_id, n.due_at, g.status
                FROM saga.schedule_runs AS n
                JOIN saga.saga_states AS g ON g.id = n.saga_id
                WHERE n.schedule_id = s.id
                ORDER BY n.saga_id DESC
                LIMIT 1) AS r ON true
            """;

    static final String LIST = WITH_LAST_RUN.formatted("""
            (SELECT id FROM saga.schedules WHERE name > :after ORDER BY name LIMIT :limit) AS page
            JOIN saga.schedules AS s ON s.id = page.id""") + "ORDER BY s.name\n";

    /** The time until the first schedule is due, and whether one waits for a run to end. */
    record Outlook(Optional<Duration> dueIn, boolean isWaiting) {}

    /** A saga that starts for a due time. */
    record NewRun(long schedule, SagaId saga, Instant dueAt) {}

    /** A step of a schedule: its next due time, and what became of the last. */
    record Progress(
            long schedule,
            @Nullable Instant nextAt,
            @Nullable Instant handledUntil,
            @Nullable Instant waitingAt,
            @Nullable Text error) {}

    Instant now(Reads reads) {
        return reads.query("SELECT now() AS time")
                .map(row -> Columns.instant(row, "time"))
                .one();
    }

    Outlook outlook(Reads reads) {
        return reads.query("""
                SELECT extract(epoch FROM (SELECT next_at FROM saga.schedules
                                           WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1) - now()) AS due_in,
                       EXISTS (SELECT FROM saga.schedules WHERE waiting_at IS NOT NULL) AS waiting
                """)
                .map(row -> {
                    var dueIn = row.getBigDecimal("due_in");
                    return new Outlook(
                            dueIn == null
                                    ? Optional.empty()
                                    : Optional.of(Duration.ofMillis(dueIn.movePointRight(3)
                                            .setScale(0, RoundingMode.CEILING)
                                            .longValue())),
                            row.getBoolean("waiting"));
                })
                .one();
    }

    Optional<Schedule> find(Reads reads, long id) {
        return reads.query(WITH_LAST_RUN.formatted("saga.schedules AS s") + "WHERE s.id = :id")
                .bind("id", id)
                .map(row -> schedule(row, run(row)))
                .findOne();
    }

    List<Schedule> list(Reads reads, String after, int limit) {
        return reads.query(LIST)
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> schedule(row, run(row)))
                .list();
    }

    Optional<Schedule> lock(Tx tx, long id) {
        return tx.query("SELECT " + COLUMNS + "FROM saga.schedules AS s WHERE s.id = :id FOR NO KEY UPDATE")
                .bind("id", id)
                .map(row -> schedule(row, null))
                .findOne();
    }

    static final String LOCK_DUE = "SELECT " + COLUMNS + """
            FROM saga.schedules AS s
            WHERE s.next_at <= now()
            ORDER BY s.next_at
            LIMIT :max
            FOR NO KEY UPDATE SKIP LOCKED
            """;

    /** Locks up to {@code max} schedules that are due, but for those that another node has locked. */
    List<Schedule> lockDue(Tx tx, int max) {
        return tx.query(LOCK_DUE)
                .bind("max", max)
                .map(row -> schedule(row, null))
                .list();
    }

    /** Locks up to {@code max} schedules with a run that need not wait any longer. */
    List<Schedule> lockReady(Tx tx, int max) {
        return tx.query("SELECT " + COLUMNS + """
                FROM saga.schedules AS s
                WHERE s.waiting_at IS NOT NULL
                  AND NOT EXISTS (
                      SELECT FROM saga.schedule_runs AS r
                      JOIN saga.saga_states AS g ON g.id = r.saga_id
                      WHERE r.schedule_id = s.id AND NOT r.ended AND g.status IN ('STARTED', 'RUNNING', 'COMPENSATING'))
                ORDER BY s.id
                LIMIT :max
                FOR NO KEY UPDATE OF s SKIP LOCKED
                """)
                .bind("max", max)
                .map(row -> schedule(row, null))
                .list();
    }

    /** A run that another one is to take the place of. */
    record Replaced(long schedule, SagaId saga) {}

    /** Up to {@code max} runs that go on and are to be cancelled for one that waits. */
    List<Replaced> replaced(Reads reads, int max) {
        return reads.query("""
                SELECT r.schedule_id, r.saga_id
                FROM saga.schedules AS s
                JOIN saga.schedule_runs AS r ON r.schedule_id = s.id AND NOT r.ended
                JOIN saga.saga_states AS g ON g.id = r.saga_id AND g.status IN ('STARTED', 'RUNNING')
                WHERE s.waiting_at IS NOT NULL AND s.overlap = 'CANCEL_PREVIOUS'
                LIMIT :max
                """)
                .bind("max", max)
                .map(row -> new Replaced(row.getLong("schedule_id"), new SagaId(row.getObject("saga_id", UUID.class))))
                .list();
    }

    /** Whether a run of the schedule still waits to take the place of others; it does until {@code tx} ends. */
    boolean replaces(Tx tx, long schedule) {
        return tx.query("""
                SELECT id FROM saga.schedules
                WHERE id = :id AND waiting_at IS NOT NULL AND overlap = 'CANCEL_PREVIOUS'
                FOR SHARE
                """).bind("id", schedule).mapTo(Long.class).findOne().isPresent();
    }

    static final String NOTE_ENDED = """
            UPDATE saga.schedule_runs AS r
            SET ended = true
            FROM saga.saga_states AS g
            WHERE r.schedule_id = ANY (:schedules) AND NOT r.ended
              AND g.id = r.saga_id AND g.status IN ('COMPLETED', 'FAILED', 'CANCELLED')
            """;

    /** The runs of these schedules, which are locked, that have not ended. */
    Map<Long, List<SagaId>> open(Tx tx, Collection<Long> schedules) {
        tx.update(NOTE_ENDED).bindArray("schedules", Long.class, schedules).execute();
        var all = new HashMap<Long, List<SagaId>>();
        tx.query("""
                SELECT schedule_id, saga_id FROM saga.schedule_runs
                WHERE schedule_id = ANY (:schedules) AND NOT ended
                """)
                .bindArray("schedules", Long.class, schedules)
                .map(row -> all.computeIfAbsent(row.getLong("schedule_id"), id -> new ArrayList<>())
                        .add(new SagaId(row.getObject("saga_id", UUID.class))))
                .list();
        return all;
    }

    /** False if the name is taken. */
    boolean insert(Tx tx, long id, Settings settings, Optional<Instant> next, String by) {
        int inserted = bind(tx.update("""
                INSERT INTO saga.schedules (
                    id, name, workflow_name, cron, every_ms, time_zone, payload, priority, overlap, catch_up, window_ms,
                    start_at, end_at, next_at, created_by)
                VALUES (
                    :id, :name, :workflow, :cron, :every, :zone, CAST(:payload AS jsonb), :priority, :overlap, :catchUp, :window,
                    :startAt, :endAt, :next, :by)
                ON CONFLICT (name) DO NOTHING
                """), settings)
                .bind("id", id)
                .bind("next", next.orElse(null))
                .bind("by", by)
                .execute();
        return inserted == 1;
    }

    /** A run that waits is of the settings of before, and is given up. */
    void update(Tx tx, long id, Settings settings, Optional<Instant> next, String by) {
        bind(tx.update("""
                UPDATE saga.schedules
                SET name = :name, workflow_name = :workflow, cron = :cron, every_ms = :every, time_zone = :zone,
                    payload = CAST(:payload AS jsonb), priority = :priority, overlap = :overlap, catch_up = :catchUp, window_ms = :window,
                    start_at = :startAt, end_at = :endAt, next_at = :next, waiting_at = NULL, error_message = NULL,
                    error_at = NULL, owner = :by, updated_at = now()
                WHERE id = :id
                """), settings)
                .bind("id", id)
                .bind("by", by)
                .bind("next", next.orElse(null))
                .execute();
    }

    private static <S extends SqlStatement<S>> S bind(S statement, Settings settings) {
        var every = settings.every();
        return statement
                .bind("name", settings.name())
                .bind("workflow", settings.workflow())
                .bind("cron", settings.cron())
                .bind("every", every == null ? null : Long.valueOf(every.toMillis()))
                .bind("zone", settings.timeZone())
                .bind("payload", settings.payload().toString())
                .bind("priority", settings.priority())
                .bind("overlap", settings.overlap().name())
                .bind("catchUp", settings.catchUp().name())
                .bind("window", settings.window().toMillis())
                .bind("startAt", settings.startAt())
                .bind("endAt", settings.endAt());
    }

    void pause(Tx tx, long id, @Nullable String note) {
        tx.update("""
                UPDATE saga.schedules
                SET paused = true, note = :note, next_at = NULL, waiting_at = NULL, updated_at = now()
                WHERE id = :id
                """).bind("id", id).bind("note", note).execute();
    }

    void resume(Tx tx, long id, Optional<Instant> next) {
        tx.update("""
                UPDATE saga.schedules SET paused = false, note = NULL, next_at = :next, updated_at = now() WHERE id = :id
                """).bind("id", id).bind("next", next.orElse(null)).execute();
    }

    /** Appends an event about each of these schedules. */
    void append(Tx tx, String type, List<Long> schedules) {
        tx.query("SELECT saga.append_schedule_events(:type, :schedules)")
                .bind("type", type)
                .bindArray("schedules", Long.class, schedules)
                .mapTo(String.class)
                .list();
    }

    void delete(Tx tx, long id) {
        append(tx, "schedule-deleted", List.of(id));
        tx.update("DELETE FROM saga.schedules WHERE id = :id").bind("id", id).execute();
    }

    void insertRuns(Tx tx, List<NewRun> runs, boolean manual) {
        tx.update("""
                INSERT INTO saga.schedule_runs (saga_id, schedule_id, due_at, manual)
                SELECT saga, schedule, due, :manual FROM unnest(:sagas, :schedules, :dues) AS t (saga, schedule, due)
                """)
                .bind("manual", manual)
                .bindArray("sagas", UUID.class, runs, run -> run.saga().value())
                .bindArray("schedules", Long.class, runs, NewRun::schedule)
                .bindArray("dues", OffsetDateTime.class, runs, run -> time(run.dueAt()))
                .execute();
    }

    /** Moves locked schedules on; an error of before goes when there is none now. */
    void progress(Tx tx, List<Progress> all) {
        tx.update("""
                UPDATE saga.schedules AS s
                SET next_at = t.next, handled_until = t.last, waiting_at = t.waiting, error_message = t.error,
                    error_at = CASE WHEN t.error IS NOT NULL THEN now() END
                FROM unnest(:ids, :nexts, :lasts, :waits, :errors) AS t (id, next, last, waiting, error)
                WHERE s.id = t.id
                """)
                .bindArray("ids", Long.class, all, Progress::schedule)
                .bindArray("nexts", OffsetDateTime.class, all, each -> time(each.nextAt()))
                .bindArray("lasts", OffsetDateTime.class, all, each -> time(each.handledUntil()))
                .bindArray("waits", OffsetDateTime.class, all, each -> time(each.waitingAt()))
                .bindArray(
                        "errors",
                        String.class,
                        all,
                        each -> each.error() == null ? null : StoredText.write(each.error()))
                .execute();
    }

    private static @Nullable OffsetDateTime time(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable Run run(ResultSet row) throws SQLException {
        var saga = row.getObject("saga_id", UUID.class);
        return saga == null
                ? null
                : new Run(
                        new SagaId(saga), Columns.instant(row, "due_at"), SagaStatus.valueOf(row.getString("status")));
    }

    private static Schedule schedule(ResultSet row, @Nullable Run lastRun) throws SQLException {
        long every = row.getLong("every_ms");
        var interval = row.wasNull() ? null : Duration.ofMillis(every);
        var error = row.getString("error_message");
        var settings = new Settings(
                row.getString("name"),
                row.getString("workflow_name"),
                row.getString("cron"),
                interval,
                row.getString("time_zone"),
                JsonMapper.shared().readTree(row.getString("payload")),
                row.getInt("priority"),
                Overlap.valueOf(row.getString("overlap")),
                CatchUp.valueOf(row.getString("catch_up")),
                Duration.ofMillis(row.getLong("window_ms")),
                Columns.instantOrNull(row, "start_at"),
                Columns.instantOrNull(row, "end_at"));
        return new Schedule(
                row.getLong("id"),
                settings,
                row.getBoolean("paused"),
                row.getString("note"),
                Columns.instantOrNull(row, "next_at"),
                Columns.instantOrNull(row, "handled_until"),
                Columns.instantOrNull(row, "waiting_at"),
                error == null ? null : StoredText.read(error),
                Columns.instantOrNull(row, "error_at"),
                lastRun,
                row.getString("created_by"),
                row.getString("owner"),
                Columns.instant(row, "created_at"),
                Columns.instant(row, "updated_at"));
    }
}
