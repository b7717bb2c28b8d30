package io.hiroba.records.transfer;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;

/** Uploaded files, in parts. */
final class ContentStore {

    private static final byte[] NOTHING = {};

    void insert(Tx tx, ImportId id, long start, byte[] bytes) {
        tx.update("INSERT INTO records.import_content (import_id, start, bytes) VALUES (:id, :start, :bytes)")
                .bind("id", id.value())
                .bind("start", start)
                .bind("bytes", bytes)
                .execute();
    }

    /** The part that begins at {@code start}; of none, no bytes. */
    byte[] read(Reads reads, ImportId id, long start) {
        return reads.query("SELECT bytes FROM records.import_content WHERE import_id = :id AND start = :start")
                .bind("id", id.value())
                .bind("start", start)
                .mapTo(byte[].class)
                .findOne()
                .orElse(NOTHING);
    }

    void delete(Tx tx, ImportId id) {
        tx.update("DELETE FROM records.import_content WHERE import_id = :id")
                .bind("id", id.value())
                .execute();
    }
}
