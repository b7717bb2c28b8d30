package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of what models took on a day. All transactions change them in one order. */
final class AgentBudgetStore {

    /**
     * A bound of a day.
     *
     * @param maxTokens null for any number
     * @param maxCost null for any sum
     */
    record Budget(
            String kind,
            long subject,
            @Nullable Long maxTokens,
            @Nullable BigDecimal maxCost) {}

    /** The bounds that a run is held to, in the order in which their rows are locked. */
    static List<Budget> of(Agent agent, UserId caller, AgentsConfig config) {
        return List.of(
                new Budget(
                        "agent",
                        agent.id().value(),
                        agent.limits().dailyTokens(),
                        agent.limits().dailyCost()),
                new Budget("caller", caller.value(), positive(config.dailyTokensPerCaller()), null),
                new Budget(
                        "all",
                        0,
                        positive(config.dailyTokens()),
                        config.dailyCost() == 0 ? null : BigDecimal.valueOf(config.dailyCost())));
    }

    private static @Nullable Long positive(long limit) {
        return limit == 0 ? null : (Long) limit;
    }

    /** Adds to the use of a day; false if that would be more than the budget allows, and then {@code tx} must not commit. */
    boolean reserve(Tx tx, LocalDate day, Budget budget, long tokens, BigDecimal cost) {
        return tx.update("""
                        INSERT INTO agents.usage AS u (day, kind, subject, tokens, cost)
                        SELECT :day, :kind, :subject, :tokens, :cost
                        WHERE coalesce(:tokens <= CAST(:maxTokens AS bigint), true)
                          AND coalesce(:cost <= CAST(:maxCost AS numeric), true)
                        ON CONFLICT (day, kind, subject) DO UPDATE
                        SET tokens = u.tokens + :tokens, cost = u.cost + :cost
                        WHERE coalesce(u.tokens + :tokens <= CAST(:maxTokens AS bigint), true)
                          AND coalesce(u.cost + :cost <= CAST(:maxCost AS numeric), true)
                        """)
                        .bind("day", day)
                        .bind("kind", budget.kind())
                        .bind("subject", budget.subject())
                        .bind("tokens", tokens)
                        .bind("cost", cost)
                        .bind("maxTokens", budget.maxTokens())
                        .bind("maxCost", budget.maxCost())
                        .execute()
                == 1;
    }

    /** Replaces a reservation by what was used: adds the difference. */
    void settle(Tx tx, LocalDate day, Budget budget, long tokens, BigDecimal cost) {
        tx.update("""
                        UPDATE agents.usage
                        SET tokens = tokens + :tokens, cost = cost + :cost
                        WHERE day = :day AND kind = :kind AND subject = :subject
                        """)
                .bind("day", day)
                .bind("kind", budget.kind())
                .bind("subject", budget.subject())
                .bind("tokens", tokens)
                .bind("cost", cost)
                .execute();
    }

    int sweep(Tx tx, LocalDate before, int limit) {
        return tx.update("""
                        DELETE FROM agents.usage
                        WHERE (day, kind, subject) IN (
                            SELECT day, kind, subject FROM agents.usage
                            WHERE day < :before
                            ORDER BY day
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("before", before).bind("limit", limit).execute();
    }
}
