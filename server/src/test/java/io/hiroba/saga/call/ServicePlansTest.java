package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.saga.call.Services.Service;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The list of services reads what it shows, in the order of the bytes of their names. */
class ServicePlansTest {

    private static final int LIMIT = 21;

    private static final TestDatabase database = TestDatabase.create();

    @BeforeAll
    static void fill() throws SQLException {
        database.db().useTransaction(tx -> tx.update("""
                INSERT INTO saga.services (name, endpoint, updated_by)
                SELECT CASE WHEN n % 2 = 0 THEN 'Service-' ELSE 'service.' END || n, 'http://localhost', 'test'
                FROM generate_series(1, 5000) AS n
                """).execute());
        try (var connection = database.db().dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE) saga.services");
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void theListReadsWhatItShows() {
        for (boolean generic : List.of(false, true)) {
            for (var after : List.of("", "Service-4", "service.4")) {
                var plan = Plan.of(
                        database.db(),
                        generic,
                        reads -> reads.query(Plan.LEAD + ServiceStore.LIST)
                                .bind("after", after)
                                .bind("limit", LIMIT));
                assertThat(plan.scannedThrough(Set.of("services"), 0))
                        .as(plan.toString())
                        .isEmpty();
                assertThat(plan.largestSort()).as(plan.toString()).isZero();
                assertThat(plan.rowsReadOf("services")).as(plan.toString()).isLessThanOrEqualTo(LIMIT);
            }
        }
    }

    @Test
    void theOrderIsThatOfTheBytes() {
        var names = database.db()
                .read(reads -> new ServiceStore()
                        .list(reads, "", 10_000).stream().map(Service::name).toList());
        assertThat(names).hasSize(5000).isSorted();
    }
}
