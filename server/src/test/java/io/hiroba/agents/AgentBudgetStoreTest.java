package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.remote.ToolServersConfig;
import io.hiroba.testkit.TestDatabase;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
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
        var all = new AgentBudgetStore.Budget("all", 0, null, new BigDecimal("100"));
        var day = LocalDate.of(2026, 3, 1);
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            var reservations = IntStream.range(0, 12)
                    .mapToObj(i -> nodes.submit(() -> database.db()
                            .inTransaction(tx -> store.reserve(tx, day, List.of(all, budget), 100, BigDecimal.ONE))))
                    .toList();
            int held = 0;
            for (var each : reservations) {
                held += each.get() ? 1 : 0;
            }
            assertThat(held).isEqualTo(5);
            for (var each : IntStream.range(0, 12)
                    .mapToObj(i -> nodes.submit(() -> database.db()
                            .useTransaction(
                                    tx -> store.settle(tx, day, List.of(budget, all), -10, new BigDecimal("-0.25")))))
                    .toList()) {
                each.get();
            }
        }
        long reserved = database.db()
                .read(reads -> reads.query("SELECT tokens FROM agents.usage WHERE day = :day AND kind = 'agent'")
                        .bind("day", day)
                        .mapTo(Long.class)
                        .one());
        assertThat(reserved).isEqualTo(380);
    }

    @Test
    void whatOneCallerSpendsIsBounded() {
        var config = new AgentsConfig(
                true, 3, 1, 0, 2.5, 0, 0, Duration.ofHours(1), 3, 5, Duration.ofDays(365), ToolServersConfig.USUAL);
        var store = new AgentBudgetStore();
        var day = LocalDate.of(2026, 3, 2);
        var anns = AgentBudgetStore.of(Agent.UNMADE.of(new UserId(7), null), new UserId(9), config);
        var bobs = AgentBudgetStore.of(Agent.UNMADE.of(new UserId(7), null), new UserId(10), config);
        var two = new BigDecimal(2);
        assertThat(database.db().<Boolean>inTransaction(tx -> store.reserve(tx, day, anns, 1, two)))
                .isTrue();
        assertThat(database.db().<Boolean>inTransaction(tx -> store.reserve(tx, day, bobs, 1, two)))
                .isTrue();
        assertThat(database.db().<Boolean>inTransaction(tx -> store.reserve(tx, day, anns, 1, two)))
                .isFalse();
    }
}
