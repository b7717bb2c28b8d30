package io.hiroba.platform.db;

import java.time.Instant;
import java.util.List;

/** Rows of a table of files to delete, each with an id and the time when it is due. */
public final class FileDeletionStore {

    private final String table;

    /** @param table with its schema */
    public FileDeletionStore(String table) {
        this.table = table;
    }

    /** Claims files to delete until {@code until}, when another node may try. None while a backup copies files. */
    public List<Long> claim(Tx tx, Instant now, Instant until, int limit) {
        return tx.query("""
                UPDATE %1$s AS d SET due_at = :until
                FROM (SELECT id FROM %1$s
                      WHERE due_at <= :now AND %2$s
                      ORDER BY due_at
                      LIMIT :limit
                      FOR UPDATE SKIP LOCKED) AS due
                WHERE d.id = due.id
                RETURNING d.id
                """.formatted(table, BackupLock.NO_BACKUP))
                .bind("now", now)
                .bind("until", until)
                .bind("limit", limit)
                .mapTo(Long.class)
                .list();
    }

    public void finish(Tx tx, long id) {
        tx.update("DELETE FROM %s WHERE id = :id".formatted(table))
                .bind("id", id)
                .execute();
    }
}
