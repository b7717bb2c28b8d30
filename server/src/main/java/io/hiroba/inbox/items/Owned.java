package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Somebody's item, among everybody's. */
record Owned(UserId owner, ItemId id) {

    static Owned of(ResultSet row) throws SQLException {
        return new Owned(new UserId(row.getLong("user_id")), new ItemId(row.getLong("id")));
    }

    /**
     * The items of each owner, in the order of owners. They are changed owner by owner: that is a look into one
     * partition by key each time, where a join of all of them may be planned as a scan of everything.
     */
    static SortedMap<UserId, List<ItemId>> byOwner(Collection<Owned> items) {
        var owners = new TreeMap<UserId, List<ItemId>>(Comparator.comparingLong(UserId::value));
        for (var item : items) {
            owners.computeIfAbsent(item.owner(), _ -> new ArrayList<>()).add(item.id());
        }
        return owners;
    }
}
