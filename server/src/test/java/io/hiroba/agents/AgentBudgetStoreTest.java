package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.TestDatabase;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Budgets that several nodes reserve at once. */
class AgentBudgetStoreTest {

    private final TestDatabase database = TestDatabase.create();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void callsThatAreReservedAtOnceStayWithinTheBudget() throws Exception {
        var store = new AgentBudgetStore();
        var budget = new AgentBudgetStore.Budget("agent", 7, 500L, null);
        var day = LocalDate.of(2026, 3, 1);
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            var reservations = IntStream.range(0, 12)
                    .mapToObj(i -> nodes.submit(() ->
                            database.db().inTransaction(tx -> store.reserve(tx, day, budget, 100, BigDecimal.ZERO))))
                    .toList();
            int held = 0;
            for (var each : reservations) {
                held += each.get() ? 1 : 0;
            }
            assertThat(held).isEqualTo(5);
        }
        long reserved = database.db()
                .read(reads -> reads.query("SELECT tokens FROM agents.usage WHERE day = :day")
                        .bind("day", day)
                        .mapTo(Long.class)
                        .one());
        assertThat(reserved).isEqualTo(500);
    }
}
