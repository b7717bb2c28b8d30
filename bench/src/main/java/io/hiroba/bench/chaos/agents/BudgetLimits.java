package io.hiroba.bench.chaos.agents;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The budgets of a day that the servers are given, besides those of each agent. */
record BudgetLimits(long tokensPerCaller, long tokens, BigDecimal cost) {

    /** The budgets that are exceeded, by what is used and reserved. */
    List<String> exceeded(Handle handle) {
        return handle.createQuery("""
                        SELECT u.day, u.kind, u.subject, u.tokens, u.cost, p.nickname, p.ai_model
                        FROM agents.usage u
                        LEFT JOIN accounts.users p ON p.id = u.subject
                        LEFT JOIN agents.agents a ON u.kind = 'agent' AND a.user_id = u.subject
                        WHERE u.tokens < 0 OR u.cost < 0
                           OR u.tokens > CASE u.kind WHEN 'caller' THEN :perCaller WHEN 'all' THEN :tokens
                                         ELSE coalesce(a.daily_tokens, u.tokens) END
                           OR u.cost > CASE u.kind WHEN 'all' THEN :cost ELSE coalesce(a.daily_cost, u.cost) END
                        """)
                .bind("perCaller", tokensPerCaller)
                .bind("tokens", tokens)
                .bind("cost", cost)
                .map((row, ctx) -> "the budget of %s is exceeded: %,d tokens, $%s"
                        .formatted(name(row), row.getLong("tokens"), row.getBigDecimal("cost")))
                .list();
    }

    /** The name of a budget, as the service charges for it. */
    static String name(ResultSet row) throws SQLException {
        return switch (row.getString("kind")) {
            case "all" -> ModelCalls.ALL;
            case "agent" -> "agent " + row.getString("nickname");
            default ->
                "caller "
                        + ModelCalls.asker(
                                row.getLong("subject"), row.getString("nickname"), row.getString("ai_model"));
        };
    }
}
