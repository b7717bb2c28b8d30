package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Retypes.Failure;
import io.hiroba.records.Retypes.Job;
import io.hiroba.records.Retypes.Progress;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads and writes changes of types, their claims, and the values that they convert. Leases are by the clock of the database. */
final class RetypeStore {

    /** Before every record. */
    static final UUID FIRST = new UUID(0, 0);

    private static final String COLUMNS = """
            id, project_id, schema_id, from_attr, to_attr, from_type, to_type, clears, state, total, seen, position, failed,
            failures, failure, created_by, created_at, ended_at
            """;

    /** A failure as it is stored. */
    private record StoredFailure(String row, String value, String reason) {}

    /** @param written how the texts are written that are converted */
    void insert(Tx tx, Job job, ValueConversion.Written written) {
        var format = written.format();
        var dates = written.dates();
        tx.update("""
                INSERT INTO records.retypes (id, project_id, schema_id, from_attr, to_attr, from_type, to_type, clears, number_format,
                    currency_sign, date_order, state, total, created_by, created_at)
                VALUES (:id, :project, :schema, :from, :to, :fromType, :toType, :clears, :format, :sign, :dates, :state, :total, :by,
                    :at)
                """)
                .bind("format", format == null ? null : format.name())
                .bind("sign", written.sign())
                .bind("dates", dates == null ? null : dates.label())
                .bind("id", job.id())
                .bind("project", job.project().value())
                .bind("schema", job.schema())
                .bind("from", job.from())
                .bind("to", job.to())
                .bind("fromType", job.fromType().label())
                .bind("toType", job.toType().label())
                .bind("clears", job.clears())
                .bind("state", job.state().name())
                .bind("total", job.progress().total())
                .bind("by", job.by().value())
                .bind("at", RecordStore.time(job.createdAt()))
                .execute();
    }

    Optional<Job> find(Reads reads, ProjectId project, long id) {
        return reads.query("SELECT %s FROM records.retypes WHERE project_id = :project AND id = :id".formatted(COLUMNS))
                .bind("project", project.value())
                .bind("id", id)
                .map(RetypeStore::read)
                .findOne();
    }

    Optional<Job> running(Reads reads, ProjectId project, short schema) {
        return reads.query("""
                SELECT %s FROM records.retypes
                WHERE project_id = :project AND schema_id = :schema AND state = 'RUNNING'
                """.formatted(COLUMNS))
                .bind("project", project.value())
                .bind("schema", schema)
                .map(RetypeStore::read)
                .findOne();
    }

    Optional<Job> lock(Tx tx, ProjectId project, long id) {
        return tx.query("SELECT %s FROM records.retypes WHERE project_id = :project AND id = :id FOR UPDATE"
                        .formatted(COLUMNS))
                .bind("project", project.value())
                .bind("id", id)
                .map(RetypeStore::read)
                .findOne();
    }

    /** A change claimed by this node, under a fencing token, after so many claims since the last commit. */
    record Claim(Job job, int fence, int attempts) {}

    Optional<Claim> claim(Tx tx, Duration lease) {
        return tx.query("""
                UPDATE records.retypes
                SET fence = fence + 1, attempts = attempts + 1, leased_until = now() + make_interval(secs => :lease)
                WHERE id = (
                    SELECT id FROM records.retypes
                    WHERE state = 'RUNNING' AND (leased_until IS NULL OR leased_until < now())
                    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING fence, attempts, %s
                """.formatted(COLUMNS))
                .bind("lease", lease.toMillis() / 1000.0)
                .map(row -> new Claim(read(row), row.getInt("fence"), row.getInt("attempts")))
                .findOne();
    }

    /** For how long the change has been due that has been so longest. */
    Optional<Duration> overdue(Reads reads) {
        return reads.query("""
                        SELECT CAST(extract(epoch FROM now() - coalesce(leased_until, created_at)) * 1000 AS bigint)
                        FROM records.retypes
                        WHERE state = 'RUNNING' AND (leased_until IS NULL OR leased_until < now())
                        ORDER BY coalesce(leased_until, created_at)
                        LIMIT 1
                        """).mapTo(Long.class).findOne().map(Duration::ofMillis);
    }

    /** Renews the claim; false if it was lost. */
    boolean renew(Tx tx, Claim claim, Duration lease) {
        return tx.update("""
                UPDATE records.retypes SET leased_until = now() + make_interval(secs => :lease)
                WHERE id = :id AND fence = :fence AND state = 'RUNNING'
                """)
                        .bind("id", claim.job().id())
                        .bind("fence", claim.fence())
                        .bind("lease", lease.toMillis() / 1000.0)
                        .execute()
                == 1;
    }

    /** Gives the claim back, so that another node need not wait for its lease. */
    void release(Tx tx, Claim claim) {
        tx.update("""
                UPDATE records.retypes SET leased_until = NULL, attempts = greatest(attempts - 1, 0)
                WHERE id = :id AND fence = :fence
                """).bind("id", claim.job().id()).bind("fence", claim.fence()).execute();
    }

    void advance(Tx tx, long id, Progress progress, List<Failure> failures) {
        tx.update("""
                UPDATE records.retypes
                SET seen = :seen, total = greatest(total, :seen), position = :position, failed = :failed, failures = CAST(:failures AS jsonb),
                    -- A last look that finds nothing is no progress: the exchange after it may fail each time.
                    attempts = CASE WHEN :seen > seen THEN 0 ELSE attempts END
                WHERE id = :id
                """)
                .bind("id", id)
                .bind("seen", progress.seen())
                .bind("position", progress.position())
                .bind("failed", progress.failed())
                .bind(
                        "failures",
                        Json.text(failures.stream()
                                .map(each ->
                                        new StoredFailure(each.row(), each.value(), StoredText.write(each.reason())))
                                .toList()))
                .execute();
    }

    void setFailed(Tx tx, long id, long failed) {
        tx.update("UPDATE records.retypes SET failed = :failed WHERE id = :id")
                .bind("id", id)
                .bind("failed", failed)
                .execute();
    }

    void end(Tx tx, Job job, Retypes.State state, @Nullable Text failure, Instant now) {
        tx.update("""
                UPDATE records.retypes
                SET state = :state, failure = :failure, ended_at = :now, leased_until = NULL, fence = fence + 1
                WHERE id = :id AND state = 'RUNNING'
                """)
                .bind("id", job.id())
                .bind("state", state.name())
                .bind("failure", failure == null ? null : StoredText.write(failure))
                .bind("now", RecordStore.time(now))
                .execute();
    }

    void setUndone(Tx tx, ProjectId project, short schema, short to) {
        tx.update("""
                UPDATE records.retypes SET state = 'UNDONE'
                WHERE project_id = :project AND schema_id = :schema AND to_attr = :to AND state = 'DONE'
                """)
                .bind("project", project.value())
                .bind("schema", schema)
                .bind("to", to)
                .execute();
    }

    long count(Reads reads, ProjectTables tables, short schema) {
        return reads.query("SELECT count(*) FROM %s WHERE schema_id = :schema".formatted(tables.records()))
                .bind("schema", schema)
                .mapTo(Long.class)
                .one();
    }

    /**
     * A value to convert.
     *
     * @param converted the converted one that is there already
     */
    record Row(UUID id, JsonNode value, JsonNode converted) {}

    /** The values at {@code place} of records after {@code after}. */
    List<Row> values(Reads reads, ProjectTables tables, short schema, int place, UUID after, int limit) {
        return reads.query("""
                SELECT row_id, doc -> :place AS value
                FROM %s
                WHERE schema_id = :schema AND row_id > :after AND doc ->> :place IS NOT NULL
                ORDER BY row_id
                LIMIT :limit
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("place", place)
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> new Row(row.getObject("row_id", UUID.class), json(row.getString("value")), json(null)))
                .list();
    }

    /** How texts are written that are converted, of a row with {@code number_format}, {@code currency_sign} and {@code date_order}. */
    static ValueConversion.Written written(ResultSet row) throws SQLException {
        var format = row.getString("number_format");
        var order = row.getString("date_order");
        return new ValueConversion.Written(
                format == null ? null : ValueFormat.Kind.valueOf(format),
                row.getString("currency_sign"),
                order == null ? null : DateOrder.named(order).orElse(null));
    }

    /**
     * Has whoever waits for {@link SchemaStore#lockNames} go first, and keeps further ones from it until {@code tx} ends. With locks of rows
     * alone, one batch after the other would overtake them.
     */
    void letOthersGoFirst(Tx tx, ProjectTables tables) {
        tx.update("LOCK TABLE %s IN ROW EXCLUSIVE MODE".formatted(tables.schemas()))
                .execute();
    }

    /** The same of all records, which are locked until {@code tx} ends. */
    List<Row> lock(Tx tx, ProjectTables tables, short schema, Schema.Conversion conversion, UUID after, int limit) {
        return tx.query("""
                SELECT row_id, doc -> :from AS value, doc -> :to AS converted
                FROM %s
                WHERE schema_id = :schema AND row_id > :after
                ORDER BY row_id
                LIMIT :limit
                FOR NO KEY UPDATE
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("from", conversion.from().place())
                .bind("to", conversion.to().place())
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> new Row(
                        row.getObject("row_id", UUID.class),
                        json(row.getString("value")),
                        json(row.getString("converted"))))
                .list();
    }

    /** Writes values at {@code place}. Records keep their versions: the history tells of no change. */
    void write(Tx tx, ProjectTables tables, short schema, int place, Map<UUID, JsonNode> values) {
        tx.update("""
                UPDATE %s AS r SET doc = records.with_value(r.doc, :place, CAST(n.value AS jsonb))
                FROM unnest(:ids, :values) AS n (row_id, value)
                WHERE r.schema_id = :schema AND r.row_id = n.row_id
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("place", place)
                .bindArray("ids", UUID.class, values.keySet().toArray())
                .bindArray(
                        "values",
                        String.class,
                        values.values().stream()
                                .map(value -> Documents.exact().writeValueAsString(value))
                                .toArray())
                .execute();
    }

    /** How many records have a value and no converted one. */
    long countFailed(Reads reads, ProjectTables tables, short schema, int from, int to) {
        return reads.query("""
                SELECT count(*) FROM %s
                WHERE schema_id = :schema AND doc ->> :from IS NOT NULL AND doc ->> :to IS NULL
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("from", from)
                .bind("to", to)
                .mapTo(Long.class)
                .one();
    }

    /** Has {@code to} be shown where {@code from} is. */
    void movePosition(Tx tx, ProjectTables tables, short schema, short from, short to) {
        tx.update("""
                UPDATE %1$s SET position = (
                    SELECT coalesce(a.position, 1000 + a.attr_id / 5) FROM %1$s AS a
                    WHERE a.schema_id = :schema AND a.attr_id = :from)
                WHERE schema_id = :schema AND attr_id = :to
                """.formatted(tables.attributes()))
                .bind("schema", schema)
                .bind("from", from)
                .bind("to", to)
                .execute();
    }

    /** Has the former names of {@code from} lead to {@code to}. */
    void moveNames(Tx tx, ProjectTables tables, short schema, short from, short to) {
        tx.update("""
                UPDATE records.former_names SET attr_id = :to
                WHERE project_id = :project AND schema_id = :schema AND attr_id = :from
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("from", from)
                .bind("to", to)
                .execute();
    }

    /** Has indexes that begin with {@code from} made for {@code to}, and drops them. */
    void moveIndexes(Tx tx, ProjectTables tables, short schema, short from, SchemaAttribute to, Instant now) {
        if (to.type().isOrdered()) {
            tx.update("""
                    INSERT INTO records.hot_indexes (
                        project_id, name, schema_id, equality_attr, order_attr, state, reason, asked_by, asked_at)
                    SELECT n.project_id, 'hot_' || coalesce(n.equality || '_', '') || n.ordered || '_' || n.schema_id || '_' || :suffix,
                           n.schema_id, n.equality, n.ordered, 'WANTED', n.reason, n.asked_by, :now
                    FROM (SELECT h.project_id, h.schema_id, h.reason, h.asked_by,
                                 CAST(CASE WHEN h.equality_attr = :from THEN :to ELSE h.equality_attr END AS smallint) AS equality,
                                 CAST(CASE WHEN h.order_attr = :from THEN :to ELSE h.order_attr END AS smallint) AS ordered
                          FROM records.hot_indexes AS h
                          WHERE h.project_id = :project AND h.schema_id = :schema AND :from IN (h.equality_attr, h.order_attr)
                            AND h.state IN ('WANTED', 'BUILDING', 'READY')) AS n
                    ON CONFLICT (project_id, name) DO UPDATE
                    SET state = 'WANTED', asked_at = excluded.asked_at, ready_at = NULL, dropping_at = NULL, failure = NULL, attempts = 0
                    WHERE hot_indexes.state IN ('FAILED', 'DROPPING')
                    """)
                    .bind("project", tables.project().value())
                    .bind("schema", schema)
                    .bind("suffix", tables.suffix())
                    .bind("from", from)
                    .bind("to", to.id())
                    .bind("now", RecordStore.time(now))
                    .execute();
        }
        tx.update("""
                UPDATE records.hot_indexes SET state = 'DROPPING', dropping_at = coalesce(dropping_at, :now)
                WHERE project_id = :project AND schema_id = :schema AND :from IN (equality_attr, order_attr)
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("from", from)
                .bind("now", RecordStore.time(now))
                .execute();
    }

    private static Job read(ResultSet row) throws SQLException {
        var failure = row.getString("failure");
        return new Job(
                row.getLong("id"),
                new ProjectId(row.getLong("project_id")),
                row.getShort("schema_id"),
                row.getShort("from_attr"),
                row.getShort("to_attr"),
                ValueType.named(row.getString("from_type")).orElseThrow(),
                ValueType.named(row.getString("to_type")).orElseThrow(),
                row.getBoolean("clears"),
                Retypes.State.valueOf(row.getString("state")),
                new Progress(
                        row.getLong("total"),
                        row.getLong("seen"),
                        row.getObject("position", UUID.class),
                        row.getLong("failed")),
                Stream.of(Json.mapper().readValue(row.getString("failures"), StoredFailure[].class))
                        .map(each -> new Failure(each.row(), each.value(), StoredText.read(each.reason())))
                        .toList(),
                failure == null ? null : StoredText.read(failure),
                new UserId(row.getLong("created_by")),
                Columns.instant(row, "created_at"),
                Columns.instantOrNull(row, "ended_at"));
    }

    private static JsonNode json(@Nullable String text) {
        return text == null ? Documents.exact().nullNode() : Documents.exact().readTree(text);
    }
}
