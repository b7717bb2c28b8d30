package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

    /** The bounds that a run is held to. */
    static List<Budget> of(Agent agent, UserId caller, AgentsConfig config) {
        var budgets = new ArrayList<Budget>();
        budgets.add(new Budget(
                "agent",
                agent.id().value(),
                agent.limits().dailyTokens(),
                agent.limits().dailyCost()));
        // What the agent of a member takes is counted on that member too, whoever called it.
        Stream.concat(Stream.of(caller), Stream.ofNullable(agent.owner()))
                .map(UserId::value)
                .distinct()
                .forEach(person -> budgets.add(new Budget(
                        "caller",
                        person,
                        positive(config.dailyTokensPerCaller()),
                        positive(config.dailyCostPerCaller()))));
        budgets.add(new Budget("all", 0, positive(config.dailyTokens()), positive(config.dailyCost())));
        return budgets;
    }

    private static @Nullable Long positive(long limit) {
        return limit == 0 ? null : (Long) limit;
    }

    private static @Nullable BigDecimal positive(double limit) {
        return limit == 0 ? null : BigDecimal.valueOf(limit);
    }

    /** Makes all that was committed before last, when {@code tx} commits: the log is written in one order. */
    void flush(Tx tx) {
        tx.query("SELECT CAST(pg_logical_emit_message(true, 'hiroba', '') AS text)")
                .mapTo(String.class)
                .one();
    }

    /**
     * Adds to the use of a day; false if that would be more than one of the budgets allows, and then {@code tx} must not commit. It
     * commits without waiting for the disk, so that nobody waits as long for the rows that all runs share: {@link #flush} makes it last.
     */
    boolean reserve(Tx tx, LocalDate day, List<Budget> budgets, long tokens, BigDecimal cost) {
        return bound(tx.update("""
                        WITH soon AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
                        b AS MATERIALIZED (
                            SELECT t.kind, t.subject, t.max_tokens, t.max_cost
                            FROM unnest(:kinds, :subjects, :maxTokens, :maxCosts) AS t (kind, subject, max_tokens, max_cost))
                        INSERT INTO agents.usage AS u (day, kind, subject, tokens, cost)
                        SELECT :day, b.kind, b.subject, :tokens, :cost
                        FROM soon, b
                        WHERE coalesce(:tokens <= b.max_tokens, true) AND coalesce(:cost <= b.max_cost, true)
                        ORDER BY b.kind, b.subject
                        ON CONFLICT (day, kind, subject) DO UPDATE
                        SET tokens = u.tokens + excluded.tokens, cost = u.cost + excluded.cost
                        WHERE (SELECT coalesce(u.tokens + excluded.tokens <= b.max_tokens, true)
                                      AND coalesce(u.cost + excluded.cost <= b.max_cost, true)
                               FROM b
                               WHERE b.kind = u.kind AND b.subject = u.subject)
                        """), day, budgets, tokens, cost)
                        .bindArray(
                                "maxTokens",
                                Long.class,
                                budgets.stream().map(Budget::maxTokens).toArray())
                        .bindArray(
                                "maxCosts",
                                BigDecimal.class,
                                budgets.stream().map(Budget::maxCost).toArray())
                        .execute()
                == budgets.size();
    }

    /**
     * Replaces a reservation by what was used: adds the difference. It commits without waiting for the disk: what is lost stays reserved, and
     * the end of the run makes it last.
     */
    void settle(Tx tx, LocalDate day, List<Budget> budgets, long tokens, BigDecimal cost) {
        bound(tx.update("""
                        WITH soon AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
                        locked AS MATERIALIZED (
                            SELECT u.day, u.kind, u.subject FROM agents.usage u
                            JOIN unnest(:kinds, :subjects) AS b (kind, subject) ON b.kind = u.kind AND b.subject = u.subject
                            WHERE u.day = :day
                            ORDER BY u.kind, u.subject
                            FOR UPDATE OF u)
                        UPDATE agents.usage AS u
                        SET tokens = u.tokens + :tokens, cost = u.cost + :cost
                        FROM soon, locked l
                        WHERE u.day = l.day AND u.kind = l.kind AND u.subject = l.subject
                        """), day, budgets, tokens, cost).execute();
    }

    private static Update bound(Update update, LocalDate day, List<Budget> budgets, long tokens, BigDecimal cost) {
        return update.bind("day", day)
                .bindArray("kinds", String.class, budgets, Budget::kind)
                .bindArray("subjects", Long.class, budgets, Budget::subject)
                .bind("tokens", tokens)
                .bind("cost", cost);
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
