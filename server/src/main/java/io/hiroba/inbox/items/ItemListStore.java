package io.hiroba.inbox.items;

import io.hiroba.inbox.ItemId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/** Lists of items: each page is one statement that walks one index and fetches the rows it shows. */
final class ItemListStore {

    List<Entry> page(Reads reads, Asked asked, Optional<Position> after, int limit) {
        return query(reads, "", asked, after, limit).map(row -> entry(row)).list();
    }

    /** How {@link #page} is carried out, or what it finds if {@code lead} is empty. */
    Query query(Reads reads, String lead, Asked asked, Optional<Position> after, int limit) {
        var walk = asked.walk();
        return asked.bind(reads.query(lead + (walk.isPlain() ? plain(walk, limit) : filtered(walk, limit))), after);
    }

    /** Where every entry is shown, its row is fetched as the index is walked. */
    private static String plain(Walk walk, int limit) {
        return ItemRow.of(walk.rows(ItemRow.NEEDED, limit)) + " ORDER BY " + walk.order();
    }

    private static String filtered(Walk walk, int limit) {
        return """
                WITH page AS MATERIALIZED (%s)
                SELECT page.id, page.recommended_at, page.place, page.matched, %s
                FROM page
                LEFT JOIN LATERAL (%s OFFSET 0) AS card ON page.matched
                ORDER BY page.place
                """.formatted(
                        walk.sql(limit), ItemRow.COLUMNS, ItemRow.sql(Partitions.items(walk.partition()), "page.id"));
    }

    /** The same walk, without what is shown of the items. */
    List<Entry> walk(Reads reads, Asked asked, Optional<Position> after, int limit) {
        return asked.bind(reads.query(asked.walk().sql(limit)), after)
                .map(row -> new Entry(position(row), row.getLong("place"), row.getBoolean("matched"), null))
                .list();
    }

    private static Entry entry(ResultSet row) throws SQLException {
        boolean matched = row.getBoolean("matched");
        return new Entry(position(row), row.getLong("place"), matched, matched ? ItemRow.item(row) : null);
    }

    private static Position position(ResultSet row) throws SQLException {
        return new Position(
                row.getObject("recommended_at", OffsetDateTime.class).toInstant(), new ItemId(row.getLong("id")));
    }
}
