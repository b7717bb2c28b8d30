package io.hiroba.backup;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Set;

/** Keeps what is wrong with the backups. */
final class BackupTroubleStore {

    /** Notes a trouble; false if it was there already. */
    boolean begin(Tx tx, String kind, Instant now) {
        return tx.update("""
                INSERT INTO platform.backup_troubles (kind, since) VALUES (:kind, :now) ON CONFLICT (kind) DO NOTHING
                """).bind("kind", kind).bind("now", now).execute() > 0;
    }

    /** Removes a trouble; false if there was none. */
    boolean end(Tx tx, String kind) {
        return tx.update("DELETE FROM platform.backup_troubles WHERE kind = :kind")
                        .bind("kind", kind)
                        .execute()
                > 0;
    }

    Set<String> list(Reads reads) {
        return Set.copyOf(reads.query("SELECT kind FROM platform.backup_troubles")
                .mapTo(String.class)
                .list());
    }
}
