package io.hiroba.inbox;

import io.hiroba.inbox.ItemPage.ItemPosition;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads pages of items, each by one statement that scans one index and fetches the rows it shows. */
final class ItemListStore {

    /**
     * An index entry that a scan returns.
     *
     * @param place its number in the scan
     * @param matched whether it matches the filter; if not, it only marks the end of the scan
     * @param item null if it was not requested or does not match
     */
    record Entry(
            ItemPosition position,
            long place,
            boolean matched,
            @Nullable InboxItem item) {}

    List<Entry> page(Reads reads, ResolvedInboxFilter resolved, Optional<ItemPosition> after, int limit) {
        return query(reads, "", resolved, after, limit).map(row -> entry(row)).list();
    }

    /** The statement of {@link #page}, or its plan if {@code lead} explains it. */
    Query query(Reads reads, String lead, ResolvedInboxFilter resolved, Optional<ItemPosition> after, int limit) {
        return bind(reads.query(lead + sql(resolved.scan(), limit)), resolved, after);
    }

    /** The statement of a page, resolved. */
    static String sql(ItemIndexScan scan, int limit) {
        return scan.isPlain() ? plain(scan, limit) : filtered(scan, limit);
    }

    /** Fetches the row of each entry as the index is scanned, since every entry is shown. */
    private static String plain(ItemIndexScan scan, int limit) {
        return ItemSelect.of(scan.rows(ItemSelect.NEEDED, limit)) + " ORDER BY " + scan.order();
    }

    private static String filtered(ItemIndexScan scan, int limit) {
        return """
                WITH page AS MATERIALIZED (%s)
                SELECT page.id, page.recommended_at, page.place, page.matched, %s
                FROM page
                LEFT JOIN LATERAL (%s OFFSET 0) AS card ON page.matched
                ORDER BY page.place
                """.formatted(
                        scan.sql(limit),
                        ItemSelect.COLUMNS,
                        ItemSelect.sql(ItemPartitionStore.items(scan.partition()), "page.id"));
    }

    /** As {@link #page}, without the items. */
    List<Entry> scan(Reads reads, ResolvedInboxFilter resolved, Optional<ItemPosition> after, int limit) {
        return bind(reads.query(resolved.scan().sql(limit)), resolved, after)
                .map(row -> new Entry(position(row), row.getLong("place"), row.getBoolean("matched"), null))
                .list();
    }

    private static Entry entry(ResultSet row) throws SQLException {
        boolean matched = row.getBoolean("matched");
        return new Entry(position(row), row.getLong("place"), matched, matched ? ItemSelect.item(row) : null);
    }

    private static ItemPosition position(ResultSet row) throws SQLException {
        return new ItemPosition(Columns.instant(row, "recommended_at"), new ItemId(row.getLong("id")));
    }

    private static Query bind(Query query, ResolvedInboxFilter resolved, Optional<ItemPosition> after) {
        var filter = resolved.filter();
        var scan = resolved.scan();
        var namespaces = resolved.namespaces();
        var authors = resolved.authors();
        query.bind("user", resolved.user().value())
                .bind(
                        "id",
                        after.map(position -> position.id().value()).orElse(scan.isAscending() ? -1L : Long.MAX_VALUE));
        if (!filter.actions().isEmpty()) {
            query.bindArray("actions", Short.class, filter.actions(), one -> (short) one.code());
        }
        if (!filter.types().isEmpty()) {
            query.bindArray("types", Short.class, filter.types(), one -> (short) one.code());
        }
        if (namespaces != null) {
            query.bindArray("namespaces", Long.class, namespaces);
        }
        if (authors != null) {
            query.bindArray("authors", Long.class, authors.users()).bindArray("people", Long.class, authors.people());
        }
        if (scan.isByTime()) {
            // The driver sends these bounds as -infinity and infinity.
            query.bind(
                    "at",
                    after.map(position -> position.recommendedAt().atOffset(ZoneOffset.UTC))
                            .orElse(scan.isAscending() ? OffsetDateTime.MIN : OffsetDateTime.MAX));
        }
        if (filter.resource() != null) {
            query.bind("resource", filter.resource().value());
        }
        return query;
    }
}
