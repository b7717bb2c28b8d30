package io.hiroba.accounts.ai;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table ai_models. */
final class AiModelStore {

    List<AiModel> list(Reads reads, String after, int limit) {
        return reads.query("""
                SELECT name, input_cost, output_cost, description
                FROM accounts.ai_models
                WHERE name > :after
                ORDER BY name
                LIMIT :limit
                """)
                .bind("after", after)
                .bind("limit", limit)
                .map(AiModelStore::model)
                .list();
    }

    Optional<AiModel> find(Reads reads, String name) {
        return reads.query("""
                SELECT name, input_cost, output_cost, description
                FROM accounts.ai_models
                WHERE name = :name
                """).bind("name", name).map(AiModelStore::model).findOne();
    }

    /** True if the model is new: only then has its row no earlier version. */
    boolean save(Tx tx, AiModel model, Instant now) {
        return tx.query("""
                INSERT INTO accounts.ai_models AS m (name, input_cost, output_cost, description, updated_at)
                VALUES (:name, :inputCost, :outputCost, :description, :now)
                ON CONFLICT (name) DO UPDATE
                SET input_cost = :inputCost, output_cost = :outputCost, description = :description, updated_at = :now
                RETURNING m.xmax = 0 AS made
                """)
                .bind("name", model.name())
                .bind("inputCost", model.inputCost())
                .bind("outputCost", model.outputCost())
                .bind("description", model.description())
                .bind("now", now)
                .map(row -> row.getBoolean("made"))
                .one();
    }

    boolean delete(Tx tx, String name) {
        return tx.update("DELETE FROM accounts.ai_models WHERE name = :name")
                        .bind("name", name)
                        .execute()
                == 1;
    }

    private static AiModel model(ResultSet row) throws SQLException {
        return new AiModel(
                row.getString("name"),
                plain(row.getBigDecimal("input_cost")),
                plain(row.getBigDecimal("output_cost")),
                row.getString("description"));
    }

    /** Without the zeros that the column adds. */
    private static BigDecimal plain(BigDecimal cost) {
        var stripped = cost.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
