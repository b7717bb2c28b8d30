package io.hiroba.records.tuning;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.ProjectId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;

/** Reads and writes daily counts of the use of attributes. */
final class AttributeUsageStore {

    private static final short NONE = -1;

    /** A use with its count. */
    record Noted(AttributeUsage.Use use, long filtered, long sorted, long prefixed) {

        boolean isZero() {
            return filtered == 0 && sorted == 0 && prefixed == 0;
        }

        long total() {
            return filtered + sorted + prefixed;
        }
    }

    private static short equality(AttributeUsage.Use use) {
        return use.equality() == null ? NONE : use.equality();
    }

    void add(Tx tx, Instant now, List<Noted> noted) {
        // Skips projects that were deleted meanwhile.
        var batch = tx.batch("""
                INSERT INTO records.attribute_use AS u
                    (project_id, schema_id, attr_id, equal_to, day, filtered, sorted, prefixed)
                SELECT p.id, :schema, :attribute, :equality, :day, :filtered, :sorted, :prefixed
                FROM records.projects AS p WHERE p.id = :project
                ON CONFLICT (project_id, schema_id, attr_id, equal_to, day) DO UPDATE
                SET filtered = u.filtered + excluded.filtered, sorted = u.sorted + excluded.sorted,
                    prefixed = u.prefixed + excluded.prefixed
                """);
        // In the same order on all nodes, to prevent deadlocks.
        noted.stream()
                .sorted(Comparator.<Noted>comparingLong(
                                each -> each.use().project().value())
                        .thenComparingInt(each -> each.use().schema())
                        .thenComparingInt(each -> each.use().attribute())
                        .thenComparingInt(each -> equality(each.use())))
                .forEach(each -> batch.bind("project", each.use().project().value())
                        .bind("schema", each.use().schema())
                        .bind("attribute", each.use().attribute())
                        .bind("equality", equality(each.use()))
                        .bind("day", day(now))
                        .bind("filtered", each.filtered())
                        .bind("sorted", each.sorted())
                        .bind("prefixed", each.prefixed())
                        .add());
        batch.execute();
    }

    /** The sums of the project's uses since {@code from}. */
    List<Noted> since(Reads reads, ProjectId project, Instant from) {
        return reads.query("""
                SELECT schema_id, attr_id, equal_to, CAST(sum(filtered) AS bigint) AS filtered,
                       CAST(sum(sorted) AS bigint) AS sorted, CAST(sum(prefixed) AS bigint) AS prefixed
                FROM records.attribute_use
                WHERE project_id = :project AND day >= :from
                GROUP BY schema_id, attr_id, equal_to
                """)
                .bind("project", project.value())
                .bind("from", day(from))
                .map(row -> new Noted(
                        new AttributeUsage.Use(
                                project,
                                row.getShort("schema_id"),
                                row.getShort("attr_id"),
                                row.getShort("equal_to") == NONE ? null : (Short) row.getShort("equal_to")),
                        row.getLong("filtered"),
                        row.getLong("sorted"),
                        row.getLong("prefixed")))
                .list();
    }

    int deleteBefore(Tx tx, Instant moment) {
        return tx.update("DELETE FROM records.attribute_use WHERE day < :day")
                .bind("day", day(moment))
                .execute();
    }

    private static LocalDate day(Instant moment) {
        return LocalDate.ofInstant(moment, ZoneOffset.UTC);
    }
}
