package io.hiroba.saga.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A list of workflows reads what it shows, however many there are and however often they were changed. */
class WorkflowPlansTest {

    private static final int LIMIT = 21;
    private static final Set<String> LARGE = Set.of("workflows");

    private static final TestDatabase database = TestDatabase.create();

    /** 200 workflows of 100 versions each, and one of 5,000. */
    @BeforeAll
    static void fill() throws SQLException {
        database.db().useTransaction(tx -> tx.update("""
                INSERT INTO saga.workflows (name, version, definition, format, created_by)
                SELECT name, version, repeat('x', 200), 'yaml', 'test'
                FROM (SELECT 'w-' || n AS name, v AS version
                      FROM generate_series(1, 200) AS n, generate_series(1, 100) AS v
                      UNION ALL
                      SELECT 'often', v FROM generate_series(1, 5000) AS v) AS all_of_them
                """).execute());
        try (var connection = database.db().dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE) saga.workflows");
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void theListReadsOneVersionOfEach() {
        for (boolean generic : List.of(false, true)) {
            for (var after : List.of("", "often", "w-150")) {
                var plan = Plan.of(
                        database.db(),
                        generic,
                        reads -> reads.query(Plan.LEAD + WorkflowStore.LIST)
                                .bind("after", after)
                                .bind("limit", LIMIT));
                assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
                assertThat(plan.entriesPassed()).as(plan.toString()).isLessThanOrEqualTo(3 * LIMIT);
            }
        }
    }

    @Test
    void theVersionsOfOneAreReadPageByPage() {
        for (boolean generic : List.of(false, true)) {
            for (int before : List.of(Integer.MAX_VALUE, 2500)) {
                var plan = Plan.of(
                        database.db(),
                        generic,
                        reads -> reads.query(Plan.LEAD + WorkflowStore.VERSIONS)
                                .bind("name", "often")
                                .bind("before", before)
                                .bind("limit", LIMIT));
                assertThat(plan.scannedThrough(LARGE, 0)).as(plan.toString()).isEmpty();
                assertThat(plan.largestSort()).as(plan.toString()).isLessThanOrEqualTo(LIMIT);
                assertThat(plan.entriesPassed()).as(plan.toString()).isLessThanOrEqualTo(LIMIT);
            }
        }
    }
}
