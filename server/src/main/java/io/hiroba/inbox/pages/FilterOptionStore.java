package io.hiroba.inbox.pages;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.InboxView;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.id.Ids;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the namespaces and authors of a user's newest items, for the options of filters. */
final class FilterOptionStore {

    /** Bounds the scan; the rows come from an index. */
    private static final int MAX_ITEMS = 500;

    private final Db db;

    FilterOptionStore(Db db) {
        this.db = db;
    }

    /** The namespaces of the user's items and their ancestors, by path. */
    List<InboxOption> namespaces(UserId user) {
        return db.read(reads -> reads.query("""
                        WITH RECURSIVE used AS (
                            SELECT DISTINCT namespace_id AS id
                            FROM (SELECT namespace_id FROM inbox.notifications
                                  WHERE user_id = :user AND state = 0 /* to do */ ORDER BY id DESC LIMIT :newest) AS todo
                            UNION
                            SELECT DISTINCT namespace_id
                            FROM (SELECT namespace_id FROM inbox.notifications
                                  WHERE user_id = :user AND state = 2 /* done */ ORDER BY id DESC LIMIT :newest) AS done
                        ), lineage AS (
                            SELECT n.id, n.parent_id, n.path FROM inbox.namespaces n JOIN used USING (id)
                            UNION
                            SELECT n.id, n.parent_id, n.path
                            FROM inbox.namespaces n JOIN lineage ON n.id = lineage.parent_id
                        )
                        SELECT id, path FROM lineage ORDER BY path COLLATE platform.names, id
                        """)
                .bind("user", user.value())
                .bind("newest", MAX_ITEMS)
                .map(row -> new InboxOption(Ids.hex(row.getLong("id")), row.getString("path")))
                .list());
    }

    /** As {@link #namespaces(UserId)}, for one view, with the selected namespace if the user has items in it. */
    List<InboxOption> namespaces(UserId user, InboxView view, @Nullable NamespaceId selected) {
        var found = new ArrayList<>(db.read(reads -> reads.query("""
                        WITH RECURSIVE used AS (
                            SELECT DISTINCT namespace_id AS id
                            FROM (SELECT namespace_id FROM inbox.notifications
                                  WHERE user_id = :user AND %s ORDER BY id DESC LIMIT :newest) AS newest
                        ), lineage AS (
                            SELECT n.id, n.parent_id, n.path FROM inbox.namespaces n JOIN used USING (id)
                            UNION
                            SELECT n.id, n.parent_id, n.path
                            FROM inbox.namespaces n JOIN lineage ON n.id = lineage.parent_id
                        )
                        SELECT id, path FROM lineage ORDER BY path COLLATE platform.names, id
                        """.formatted(condition(view)))
                .bind("user", user.value())
                .bind("newest", MAX_ITEMS)
                .map(row -> new InboxOption(Ids.hex(row.getLong("id")), row.getString("path")))
                .list()));
        if (selected != null && !has(found, selected.hex())) {
            var current = current(selected);
            namespaces(user).stream()
                    .filter(choice -> choice.value().equals(current))
                    .map(choice -> new InboxOption(selected.hex(), choice.label()))
                    .forEach(found::addFirst);
            found.removeIf(
                    choice -> !current.equals(selected.hex()) && choice.value().equals(current));
        }
        return found;
    }

    /** The namespace that it was merged into, if it was: the address of a filter may have been kept. */
    private String current(NamespaceId namespace) {
        return db.read(reads -> reads.query("""
                        SELECT namespace_id FROM inbox.namespace_aliases WHERE id = :id
                        """)
                .bind("id", namespace.value())
                .map(row -> Ids.hex(row.getLong("namespace_id")))
                .findOne()
                .orElse(namespace.hex()));
    }

    private static boolean has(List<InboxOption> choices, String value) {
        return choices.stream().anyMatch(choice -> choice.value().equals(value));
    }

    /** The authors of the newest items of a view, by name in the order of the reader's language, with the selected one. */
    List<InboxOption> authors(UserId user, InboxView view, @Nullable String selected, Reader reader) {
        var found = new ArrayList<>(db.read(reads -> reads.query("""
                        WITH newest AS (
                            SELECT author_id, author_person_id FROM inbox.notifications
                            WHERE user_id = :user AND %s ORDER BY id DESC LIMIT :newest
                        ), known AS (
                            SELECT coalesce(n.author_id, p.user_id) AS author_id, n.author_person_id
                            FROM newest n LEFT JOIN inbox.people p ON p.id = n.author_person_id
                        ), authors AS (
                            SELECT DISTINCT author_id, CASE WHEN author_id IS NULL THEN author_person_id END AS person_id
                            FROM known
                        )
                        SELECT u.id AS user_id, p.username, coalesce(u.nickname, p.name, p.username) AS name
                        FROM authors a
                        LEFT JOIN accounts.user_card u ON u.id = a.author_id
                        LEFT JOIN inbox.people p ON p.id = a.person_id
                        WHERE u.id IS NOT NULL OR p.username IS NOT NULL
                        """.formatted(condition(view)))
                .bind("user", user.value())
                .bind("newest", MAX_ITEMS)
                .map(row -> {
                    var username = row.getString("username");
                    var value = username == null ? Ids.hex(row.getLong("user_id")) : username;
                    return new InboxOption(value, row.getString("name"));
                })
                .list()));
        found.sort(Comparator.comparing(InboxOption::label, reader.nameOrder()).thenComparing(InboxOption::value));
        if (selected != null && !has(found, selected)) {
            found.addFirst(new InboxOption(selected, selected));
        }
        return found;
    }

    private static String condition(InboxView view) {
        return switch (view) {
            case TODO -> "state = 0 /* to do */";
            case SNOOZED -> "state = 1 /* snoozed */";
            case SAVED -> "saved";
            case DONE -> "state = 2 /* done */";
        };
    }
}
