package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ManyRecords;
import io.hiroba.testkit.Plan;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A search of records reads a bounded part of a schema, however many records it has. */
@Tag("slow")
class RecordSearchPlanTest {

    private static final int LIMIT = 50;

    /** Each is looked for in the index. */
    private static final int SPELLINGS = 5;

    @Test
    void aSearchReadsTheNewestAndWhatBeginsWithTheText() {
        try (var many = new ManyRecords()) {
            var access = many.project();
            var tables = access.tables();
            many.fill(tables, 20_000);
            many.db.useTransaction(tx -> tx.update("ANALYZE %s, %s".formatted(tables.records(), tables.eav()))
                    .execute());
            var schema = many.catalog.refreshed(tables, ManyRecords.SCHEMA);
            var texts = schema.attributes().stream()
                    .filter(each -> each.type() == ValueType.TEXT)
                    .toList();
            var old = many.db.read(
                    reads -> new RecordSearchStore().search(reads, tables, schema, texts, "TITLE 1EEF of", LIMIT));
            assertThat(old).as("not among the newest, and in lower case").hasSize(1);
            for (var typed : List.of("title", "open", "nothing like it")) {
                for (boolean generic : List.of(false, true)) {
                    var plan = Plan.of(
                            many.db,
                            generic,
                            reads -> RecordSearchStore.query(reads, Plan.LEAD, tables, schema, texts, typed, LIMIT));
                    var records = "records_" + tables.suffix();
                    var values = "eav_" + tables.suffix();
                    assertThat(plan.scannedThrough(Set.of(records, values), RecordSearchStore.MAX_READ))
                            .as(plan.toString())
                            .isEmpty();
                    assertThat(plan.entriesPassedOf(values)).as(plan.toString()).isLessThanOrEqualTo(LIMIT + SPELLINGS);
                    assertThat(plan.rowsReadOf(records))
                            .as(plan.toString())
                            .isLessThanOrEqualTo(2 * RecordSearchStore.MAX_READ + LIMIT);
                }
            }
        }
    }
}
