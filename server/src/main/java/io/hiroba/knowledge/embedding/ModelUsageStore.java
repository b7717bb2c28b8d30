package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.AiUsage.DayOfModel;
import io.hiroba.knowledge.embedding.ModelUsage.ModelDay;
import io.hiroba.knowledge.embedding.ModelUsage.UsageAmount;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

/** Rows of model_usage. */
final class ModelUsageStore {

    void add(Tx tx, ModelDay asked, UsageAmount amount) {
        tx.update("""
                        INSERT INTO knowledge.model_usage AS u (day, used_for, model, calls, tokens_in, tokens_out)
                        VALUES (:day, :use, :model, :calls, :tokensIn, :tokensOut)
                        ON CONFLICT (day, used_for, model) DO UPDATE
                        SET calls = u.calls + excluded.calls,
                            tokens_in = u.tokens_in + excluded.tokens_in,
                            tokens_out = u.tokens_out + excluded.tokens_out
                        """)
                .bind("day", asked.day())
                .bind("use", asked.use().name().toLowerCase(Locale.ROOT))
                .bind("model", asked.model())
                .bind("calls", amount.calls())
                .bind("tokensIn", amount.tokensIn())
                .bind("tokensOut", amount.tokensOut())
                .execute();
    }

    /** The use of all models from that day on, the latest day first. */
    List<DayOfModel> since(Reads reads, LocalDate day) {
        return reads.query("""
                        SELECT day, used_for, model, calls, tokens_in, tokens_out
                        FROM knowledge.model_usage
                        WHERE day >= :day
                        ORDER BY day DESC, used_for, model
                        """)
                .bind("day", day)
                .map(row -> new DayOfModel(
                        row.getObject("day", LocalDate.class),
                        row.getString("used_for"),
                        row.getString("model"),
                        row.getLong("calls"),
                        row.getLong("tokens_in"),
                        row.getLong("tokens_out")))
                .list();
    }
}
