package io.hiroba.saga;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.SavedFilters.SavedFilter;
import java.util.List;

/** Reads and writes the saved filters of people. */
final class SavedFilterStore {

    List<SavedFilter> list(Reads reads, UserId user, int max) {
        return reads.query("""
                SELECT name, query FROM saga.saved_filters
                WHERE user_id = :user
                ORDER BY name
                LIMIT :max
                """)
                .bind("user", user.value())
                .bind("max", max)
                .map(row -> new SavedFilter(row.getString("name"), row.getString("query")))
                .list();
    }

    /** Saves a filter in the place of one of this name; false if there are {@code max} others. */
    boolean save(Tx tx, UserId user, SavedFilter filter, int max) {
        return tx.update("""
                INSERT INTO saga.saved_filters (user_id, name, query)
                SELECT :user, :name, :query
                WHERE (SELECT count(*) FROM saga.saved_filters WHERE user_id = :user AND name <> :name) < :max
                ON CONFLICT (user_id, name) DO UPDATE SET query = excluded.query
                """)
                        .bind("user", user.value())
                        .bind("name", filter.name())
                        .bind("query", filter.query())
                        .bind("max", max)
                        .execute()
                == 1;
    }

    void delete(Tx tx, UserId user, String name) {
        tx.update("DELETE FROM saga.saved_filters WHERE user_id = :user AND name = :name")
                .bind("user", user.value())
                .bind("name", name)
                .execute();
    }
}
