package io.hiroba.saga;

import io.hiroba.platform.db.Tx;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes that a saga goes on with another version of its workflow. */
final class MigrationStore {

    /**
     * Takes the saga from whoever works on it; it is due at once, unless it needs an operator or waits for a place.
     *
     * @param payload null where it stays
     */
    void move(Tx tx, SagaId id, int version, @Nullable JsonNode payload) {
        tx.update("""
                UPDATE saga.saga_states
                SET workflow_version = :version, payload = coalesce(CAST(:payload AS jsonb), payload),
                    in_doubt = in_doubt OR owner IS NOT NULL, owner = NULL, fence = fence + 1,
                    wake_at = CASE
                        WHEN NOT stuck AND (status <> 'STARTED' OR wake_at IS NOT NULL OR owner IS NOT NULL) THEN now() END,
                    updated_at = clock_timestamp()
                WHERE id = :id
                """)
                .bind("id", id.value())
                .bind("version", version)
                .bind("payload", StorableJson.text(payload))
                .execute();
    }
}
