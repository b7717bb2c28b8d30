package io.hiroba.saga;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.saga.BulkActions.Job;
import io.hiroba.saga.BulkActions.Request;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Reads and writes bulk jobs. */
final class BulkJobStore {

    /** A job that is locked, with what is left of it. */
    record Claimed(
            Job job,
            Request request,
            String statuses,
            @Nullable SagaId position,
            UserId by) {}

    UUID insert(Tx tx, Request request, String statuses, SagaQueries.Total total, UserId by) {
        tx.update("DELETE FROM saga.bulk_jobs WHERE ended_at < now() - interval '30 days'")
                .execute();
        var filter = request.filter();
        var parent = filter.parent();
        return tx.query("""
                INSERT INTO saga.bulk_jobs (
                    action, signal, payload, workflow_name, correlation_id, stuck, from_at, to_at, schedule_id, parent_id,
                    attributes, statuses, total, more, created_by, version)
                VALUES (:action, :signal, CAST(:payload AS jsonb), :workflow, :correlation, :stuck, :from,
                        least(coalesce(:to, now()), now()), :schedule, :parent, CAST(:attributes AS jsonb), :statuses, :total, :more, :by, :version)
                RETURNING id
                """)
                .bind("action", request.action().name().toLowerCase(Locale.ROOT))
                .bind("signal", request.signal())
                .bind("payload", StorableJson.text(request.payload()))
                .bind("workflow", filter.workflowName())
                .bind("correlation", filter.correlationId())
                .bind("stuck", filter.stuck())
                .bind("from", filter.from())
                .bind("to", filter.to())
                .bind("schedule", filter.schedule())
                .bind("parent", parent == null ? null : parent.value())
                .bind("attributes", Json.text(filter.attributes()))
                .bind("statuses", statuses)
                .bind("total", total.count())
                .bind("more", total.more())
                .bind("by", by.value())
                .bind("version", request.version())
                .map(row -> row.getObject("id", UUID.class))
                .one();
    }

    Optional<Job> find(Reads reads, UUID id) {
        return reads.query("""
                SELECT id, action, state, total, more, done, refused, refusals::text AS refusals, created_at, ended_at
                FROM saga.bulk_jobs WHERE id = :id
                """).bind("id", id).map(BulkJobStore::job).findOne();
    }

    /** Locks a running job that nobody else works on. */
    Optional<Claimed> claim(Tx tx) {
        return tx.query("""
                SELECT id, action, state, total, more, done, refused, refusals::text AS refusals, created_at, ended_at, signal,
                       payload::text AS payload, workflow_name, correlation_id, stuck, from_at, to_at, schedule_id, parent_id,
                       attributes::text AS attributes, statuses, position, created_by, version
                FROM saga.bulk_jobs
                WHERE state = 'RUNNING'
                ORDER BY created_at
                LIMIT 1
                FOR UPDATE SKIP LOCKED
                """).map(BulkJobStore::claimed).findOne();
    }

    /** @param refusal the code of the problem where the job could not act on the saga */
    void acted(Tx tx, UUID id, SagaId position, @Nullable String refusal) {
        tx.update("""
                UPDATE saga.bulk_jobs
                SET position = :position, done = done + CASE WHEN :refused THEN 0 ELSE 1 END,
                    refused = refused + CASE WHEN :refused THEN 1 ELSE 0 END,
                    refusals = CASE
                        WHEN :refused
                        THEN refusals || jsonb_build_object(:refusal, 1 + coalesce(CAST(refusals ->> :refusal AS int), 0))
                        ELSE refusals END
                WHERE id = :id
                """)
                .bind("id", id)
                .bind("position", position.value())
                .bind("refused", refusal != null)
                .bind("refusal", refusal == null ? "" : refusal)
                .execute();
    }

    void nextStatus(Tx tx, UUID id, String statuses) {
        tx.update("UPDATE saga.bulk_jobs SET statuses = :statuses, position = NULL WHERE id = :id")
                .bind("id", id)
                .bind("statuses", statuses)
                .execute();
    }

    /** Ends a job that is running; waits for the saga that it is acting on. */
    void end(Tx tx, UUID id, String state) {
        tx.update("UPDATE saga.bulk_jobs SET state = :state, ended_at = now() WHERE id = :id AND state = 'RUNNING'")
                .bind("id", id)
                .bind("state", state)
                .execute();
    }

    private static Job job(ResultSet row) throws SQLException {
        return new Job(
                row.getObject("id", UUID.class),
                row.getString("action"),
                row.getString("state"),
                row.getInt("total"),
                row.getBoolean("more"),
                row.getInt("done"),
                row.getInt("refused"),
                Json.mapper().readValue(row.getString("refusals"), new TypeReference<TreeMap<String, Integer>>() {}),
                Columns.instant(row, "created_at"),
                Columns.instantOrNull(row, "ended_at"));
    }

    private static Claimed claimed(ResultSet row) throws SQLException {
        var position = row.getObject("position", UUID.class);
        var parent = row.getObject("parent_id", UUID.class);
        var filter = new SagaFilter(
                        row.getString("workflow_name"), null, row.getString("correlation_id"), row.getBoolean("stuck"))
                .startedBetween(Columns.instantOrNull(row, "from_at"), Columns.instantOrNull(row, "to_at"))
                .ofSchedule(row.getObject("schedule_id", Long.class))
                .withParent(parent == null ? null : new SagaId(parent))
                .withAttributes(Json.mapper()
                        .readValue(row.getString("attributes"), new TypeReference<List<AttributeFilter>>() {}));
        return new Claimed(
                job(row),
                new Request(
                        BulkActions.Action.valueOf(row.getString("action").toUpperCase(Locale.ROOT)),
                        filter,
                        row.getString("signal"),
                        SagaRows.json(row.getString("payload")),
                        row.getObject("version", Integer.class)),
                row.getString("statuses"),
                position == null ? null : new SagaId(position),
                new UserId(row.getLong("created_by")));
    }
}
