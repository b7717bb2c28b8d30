package io.hiroba.records.transfer;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.List;

/** Reads and writes uploaded files in parts. */
final class ImportContentStore {

    private static final byte[] NOTHING = {};

    /** The parts per statement: a file may have thousands. */
    private static final int PARTS_AT_ONCE = 64;

    void insert(Tx tx, ImportId id, long start, byte[] bytes) {
        tx.update("INSERT INTO records.import_content (import_id, start, bytes) VALUES (:id, :start, :bytes)")
                .bind("id", id.value())
                .bind("start", start)
                .bind("bytes", bytes)
                .execute();
    }

    /** The part at {@code start}; empty if there is none. */
    byte[] read(Reads reads, ImportId id, long start) {
        return reads.query("SELECT bytes FROM records.import_content WHERE import_id = :id AND start = :start")
                .bind("id", id.value())
                .bind("start", start)
                .mapTo(byte[].class)
                .findOne()
                .orElse(NOTHING);
    }

    /** Deletes some parts from the end of the file and returns the new end. */
    long cut(Tx tx, ImportId id) {
        return tx.query("""
                WITH gone AS (
                    DELETE FROM records.import_content
                    WHERE import_id = :id AND start IN (
                        SELECT start FROM records.import_content WHERE import_id = :id ORDER BY start DESC LIMIT :most)
                    RETURNING start)
                SELECT coalesce(min(start), 0) FROM gone
                """)
                .bind("id", id.value())
                .bind("most", PARTS_AT_ONCE)
                .mapTo(Long.class)
                .one();
    }

    /** Deletes the file in several transactions. The sweep deletes what a crash leaves. */
    void remove(Db db, ImportId id) {
        while (db.inTransaction(tx -> cut(tx, id)) > 0) {
            // Until no part is left.
        }
    }

    /** Finished imports with remaining parts. */
    List<ImportId> leftOver(Reads reads, int limit) {
        return reads.query("""
                SELECT DISTINCT i.id
                FROM records.import_content AS c JOIN records.imports AS i ON i.id = c.import_id
                WHERE i.state NOT IN ('UPLOADING', 'RUNNING')
                LIMIT :limit
                """)
                .bind("limit", limit)
                .map(row -> new ImportId(row.getLong("id")))
                .list();
    }
}
