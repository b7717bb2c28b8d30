package io.hiroba.platform.db;

import java.util.function.Supplier;

/** The places where the files of all nodes are kept, as the database remembers them. */
public final class StoragePlaces {

    private final Db db;

    public StoragePlaces(Db db) {
        this.db = db;
    }

    /**
     * Whether the files for {@code purpose} are kept where this node keeps them. The first node to ask decides.
     *
     * @param place the id of this node's place, which may be made for this; one node at a time is asked
     */
    public boolean isShared(String purpose, Supplier<String> place) {
        return db.inTransaction(tx -> {
            tx.update("LOCK TABLE platform.storage_places IN EXCLUSIVE MODE").execute();
            var own = place.get();
            tx.update("""
                    INSERT INTO platform.storage_places (purpose, place) VALUES (:purpose, :place)
                    ON CONFLICT (purpose) DO NOTHING
                    """).bind("purpose", purpose).bind("place", own).execute();
            return tx.query("SELECT place = :place FROM platform.storage_places WHERE purpose = :purpose")
                    .bind("purpose", purpose)
                    .bind("place", own)
                    .mapTo(Boolean.class)
                    .one();
        });
    }
}
