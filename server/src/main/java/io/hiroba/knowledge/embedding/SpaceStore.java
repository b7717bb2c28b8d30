package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.Space.Model;
import io.hiroba.knowledge.embedding.Space.State;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.List;
import java.util.Locale;

/** The SQL of spaces. */
final class SpaceStore {

    /** "hrbspace": whoever makes, switches or retires a space holds it until the transaction ends. */
    private static final long LOCK = 0x6872_6273_7061_6365L;

    void lock(Tx tx) {
        tx.query("SELECT pg_advisory_xact_lock(:lock)")
                .bind("lock", LOCK)
                .mapToMap()
                .list();
    }

    List<Space> living(Reads reads) {
        return reads.query("""
                SELECT id, provider, model, dimensions, state
                FROM knowledge.spaces
                WHERE state <> 'retired'
                ORDER BY id
                """)
                .map((row, ctx) -> new Space(
                        row.getInt("id"),
                        new Model(row.getString("provider"), row.getString("model"), row.getInt("dimensions")),
                        State.valueOf(row.getString("state").toUpperCase(Locale.ROOT))))
                .list();
    }

    void make(Tx tx, Model model, State state) {
        tx.query("SELECT knowledge.make_space(:provider, :model, :dimensions, :state)")
                .bind("provider", model.provider())
                .bind("model", model.name())
                .bind("dimensions", model.dimensions())
                .bind("state", state.name().toLowerCase(Locale.ROOT))
                .mapTo(Integer.class)
                .one();
    }

    /** Gives a space up, with its vectors, what waits in it and what is dead in it. */
    void retire(Tx tx, Space space) {
        tx.update("UPDATE knowledge.spaces SET state = 'retired' WHERE id = :id")
                .bind("id", space.id())
                .execute();
        tx.update("DELETE FROM knowledge.embedding_queue WHERE space_id = :id")
                .bind("id", space.id())
                .execute();
        tx.update("DELETE FROM knowledge.knowledge_chunks_dlq WHERE space_id = :id")
                .bind("id", space.id())
                .execute();
        tx.update("DROP TABLE " + space.table()).execute();
    }

    void activate(Tx tx, Space space) {
        tx.update("UPDATE knowledge.spaces SET state = 'active', activated_at = CURRENT_TIMESTAMP WHERE id = :id")
                .bind("id", space.id())
                .execute();
    }
}
