package io.hiroba.saga;

import io.hiroba.platform.db.Tx;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes that a saga goes on with another version of its workflow. */
final class MigrationStore {

    /** Whether a call of the locked saga may be under way, or was when its node was lost. */
    boolean mayBeCalled(Tx tx, SagaId id) {
        return tx.query("SELECT owner IS NOT NULL OR in_doubt FROM saga.saga_states WHERE id = :id")
                .bind("id", id.value())
                .mapTo(Boolean.class)
                .one();
    }

    /**
     * Takes the saga from whoever works on it; it is due at once, unless it needs an operator.
     *
     * @param payload null where it stays
     */
    void move(Tx tx, SagaId id, int version, @Nullable JsonNode payload) {
        tx.update("""
                UPDATE saga.saga_states
                SET workflow_version = :version, payload = coalesce(CAST(:payload AS jsonb), payload),
                    in_doubt = in_doubt OR owner IS NOT NULL, owner = NULL, fence = fence + 1,
                    wake_at = CASE WHEN NOT stuck THEN now() END, updated_at = clock_timestamp()
                WHERE id = :id
                """)
                .bind("id", id.value())
                .bind("version", version)
                .bind("payload", StorableJson.text(payload))
                .execute();
    }
}
