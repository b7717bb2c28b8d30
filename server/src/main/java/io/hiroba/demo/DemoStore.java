package io.hiroba.demo;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Rows of filling and made. */
final class DemoStore {

    /** The progress of the demo: the first {@code done} acts are committed. */
    record Progress(Instant began, int done, boolean finished) {}

    /** The progress so far; begins the demo if it was not. */
    Progress begin(Tx tx, Instant now) {
        tx.update("INSERT INTO demo.filling (began_at) VALUES (:now) ON CONFLICT DO NOTHING")
                .bind("now", now)
                .execute();
        return tx.query("SELECT began_at, acts_done, finished_at IS NOT NULL AS finished FROM demo.filling")
                .map(row -> new Progress(
                        Columns.instant(row, "began_at"), row.getInt("acts_done"), row.getBoolean("finished")))
                .one();
    }

    /** The number of acts that are done, locked until {@code tx} ends. */
    int lock(Tx tx) {
        return tx.query("SELECT acts_done FROM demo.filling FOR UPDATE")
                .mapTo(Integer.class)
                .one();
    }

    void made(Tx tx, String name, long id, int done) {
        tx.update("""
                        WITH inserted AS (INSERT INTO demo.made (name, id) VALUES (:name, :id))
                        UPDATE demo.filling SET acts_done = :done
                        """).bind("name", name).bind("id", id).bind("done", done).execute();
    }

    Map<String, Long> made(Reads reads) {
        var made = new HashMap<String, Long>();
        reads.query("SELECT name, id FROM demo.made")
                .map(row -> Map.entry(row.getString("name"), row.getLong("id")))
                .forEach(entry -> made.put(entry.getKey(), entry.getValue()));
        return made;
    }

    Optional<Long> made(Reads reads, String name) {
        return reads.query("SELECT id FROM demo.made WHERE name = :name")
                .bind("name", name)
                .mapTo(Long.class)
                .findOne();
    }

    void finish(Tx tx, int done, Instant now) {
        tx.update("UPDATE demo.filling SET acts_done = :done, finished_at = :now")
                .bind("done", done)
                .bind("now", now)
                .execute();
    }
}
