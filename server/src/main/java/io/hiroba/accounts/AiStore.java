package io.hiroba.accounts;

import io.hiroba.accounts.AiActions.AiAction;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Rows of ai_models and ai_actions. */
final class AiStore {

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
                .map(AiStore::model)
                .list();
    }

    Optional<AiModel> find(Reads reads, String name) {
        return reads.query("""
                SELECT name, input_cost, output_cost, description
                FROM accounts.ai_models
                WHERE name = :name
                """).bind("name", name).map(AiStore::model).findOne();
    }

    Map<String, Integer> agents(Reads reads, List<String> names) {
        return reads
                .query("""
                SELECT m.name, (SELECT count(*) FROM (SELECT FROM accounts.users u WHERE u.ai_model = m.name LIMIT 1000) a) AS agents
                FROM unnest(:names) AS m (name)
                """)
                .bindArray("names", String.class, (Object[]) names.toArray(String[]::new))
                .map(row -> Map.entry(row.getString("name"), row.getInt("agents")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** True if the model is new: only then has its row no earlier version. */
    boolean save(Tx tx, AiModel model, Instant now) {
        return tx.query("""
                INSERT INTO accounts.ai_models AS m (name, input_cost, output_cost, description, updated_at)
                VALUES (:name, :inputCost, :outputCost, :description, :now)
                ON CONFLICT (name) DO UPDATE
                SET input_cost = :inputCost, output_cost = :outputCost, description = :description, updated_at = :now
                RETURNING m.xmax = 0 AS created
                """)
                .bind("name", model.name())
                .bind("inputCost", model.inputCost())
                .bind("outputCost", model.outputCost())
                .bind("description", model.description())
                .bind("now", now)
                .map(row -> row.getBoolean("created"))
                .one();
    }

    boolean delete(Tx tx, String name) {
        return tx.update("DELETE FROM accounts.ai_models WHERE name = :name")
                        .bind("name", name)
                        .execute()
                == 1;
    }

    void insertAction(Tx tx, UserId user, AiAction action) {
        tx.update("""
                        INSERT INTO accounts.ai_actions (user_id, id, payload)
                        VALUES (:user, :id, CAST(:payload AS jsonb))
                        """)
                .bind("user", user.value())
                .bind("id", action.id())
                .bind("payload", action.payload())
                .execute();
    }

    Optional<AiAction> findAction(Reads reads, UserId user, long id) {
        return reads.query("SELECT id, payload FROM accounts.ai_actions WHERE user_id = :user AND id = :id")
                .bind("user", user.value())
                .bind("id", id)
                .map(row -> new AiAction(row.getLong("id"), row.getString("payload")))
                .findOne();
    }

    List<AiAction> listActions(Reads reads, UserId user, long before, int limit) {
        return reads.query("""
                SELECT id, payload
                FROM accounts.ai_actions
                WHERE user_id = :user AND id < :before
                ORDER BY id DESC
                LIMIT :limit
                """)
                .bind("user", user.value())
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> new AiAction(row.getLong("id"), row.getString("payload")))
                .list();
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
