package io.hiroba.knowledge.search;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Optional;

/** Reads and writes which chat model was chosen. */
final class ChatModelStore {

    Optional<String> chosen(Reads reads) {
        return reads.query("SELECT name FROM knowledge.chat_model_choice")
                .mapTo(String.class)
                .findOne();
    }

    void choose(Tx tx, String name, Instant now) {
        tx.update("""
                INSERT INTO knowledge.chat_model_choice (name, chosen_at) VALUES (:name, :now)
                ON CONFLICT (only_row) DO UPDATE SET name = excluded.name, chosen_at = excluded.chosen_at
                """).bind("name", name).bind("now", now).execute();
    }
}
