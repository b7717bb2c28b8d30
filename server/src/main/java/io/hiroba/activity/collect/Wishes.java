package io.hiroba.activity.collect;

import io.hiroba.activity.collect.Change.Done;
import io.hiroba.platform.db.Tx;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the readers of a batch want to be told: by which days they live, and what they have muted. */
final class Wishes {

    /** A reader who is there. */
    private record Reader(ZoneId zone, Set<String> mutedKinds) {}

    private final Map<Long, Reader> readers;

    private Wishes(Map<Long, Reader> readers) {
        this.readers = readers;
    }

    static Wishes of(Tx tx, Collection<Long> ids, ZoneId zone) {
        var readers = new HashMap<Long, Reader>();
        tx.query("""
                SELECT z.user_id, z.time_zone, p.muted_kinds
                FROM accounts.user_zone z
                LEFT JOIN activity.preferences p USING (user_id)
                WHERE z.user_id = ANY (:readers)
                """)
                .bindArray("readers", Long.class, ids.toArray())
                .map(row -> Map.entry(row.getLong("user_id"), reader(row, zone)))
                .forEach(entry -> readers.put(entry.getKey(), entry.getValue()));
        return new Wishes(readers);
    }

    private static Reader reader(ResultSet row, ZoneId otherwise) throws SQLException {
        @Nullable String zone = row.getString("time_zone");
        @Nullable Array kinds = row.getArray("muted_kinds");
        return new Reader(
                zone == null ? otherwise : zone(zone, otherwise),
                kinds == null ? Set.of() : Set.copyOf(List.of((String[]) kinds.getArray())));
    }

    /** A node with newer rules may have taken a zone that this one does not know. */
    private static ZoneId zone(String name, ZoneId otherwise) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            return otherwise;
        }
    }

    /** The card of something {@link #wanted}: that of the day on which it was done, as the reader counts days. */
    CardKey key(Done done) {
        var zone = reader(done).orElseThrow().zone();
        var day = LocalDate.ofInstant(Instant.ofEpochMilli(done.act().ts()), zone);
        return new CardKey(done.reader(), done.slot(), day.toString());
    }

    private Optional<Reader> reader(Done done) {
        return Optional.ofNullable(readers.get(done.reader()));
    }

    /** Those that the reader wants to be told of: neither muted, nor their own act, nor of or about somebody behind a block. */
    Set<Done> wanted(Tx tx, Collection<Done> all) {
        var candidates = all.stream()
                .filter(done -> done.reader() != done.act().actor())
                .filter(done -> reader(done)
                        .filter(reader ->
                                !reader.mutedKinds().contains(done.slot().kind().text()))
                        .isPresent())
                .toList();
        var wanted = new HashSet<>(candidates);
        refused(tx, candidates).forEach(n -> wanted.remove(candidates.get(n - 1)));
        return wanted;
    }

    /** Which of {@code candidates} come to nothing, counted from 1. */
    private static Set<Integer> refused(Tx tx, List<Done> candidates) {
        if (candidates.isEmpty()) {
            return Set.of();
        }
        return tx.query("""
                WITH done AS MATERIALIZED (
                    SELECT * FROM unnest(:users, :actors, :posts, :kinds)
                    WITH ORDINALITY AS d (user_id, actor_id, post_id, kind, n))
                SELECT d.n FROM done d
                JOIN activity.muted_people m ON m.user_id = d.user_id AND m.person_id = d.actor_id
                UNION ALL
                SELECT d.n FROM done d
                JOIN activity.muted_posts m ON m.user_id = d.user_id AND m.post_id = d.post_id
                WHERE CASE d.kind WHEN 'like' THEN m.likes WHEN 'reply' THEN m.replies ELSE m.likes AND m.replies END
                UNION ALL
                SELECT d.n FROM done d
                JOIN social.separated s ON s.one = d.user_id AND s.other = d.actor_id
                UNION ALL
                SELECT d.n FROM done d
                JOIN social.post_card p ON p.id = d.post_id
                JOIN social.separated s ON s.one = d.user_id AND s.other = p.owned_by
                WHERE d.kind = 'reply'
                """)
                .bindArray(
                        "users",
                        Long.class,
                        candidates.stream().map(Done::reader).toArray())
                .bindArray(
                        "actors",
                        Long.class,
                        candidates.stream().map(done -> done.act().actor()).toArray())
                .bindArray(
                        "posts",
                        Long.class,
                        candidates.stream().map(Wishes::post).toArray())
                .bindArray(
                        "kinds",
                        String.class,
                        candidates.stream()
                                .map(done -> done.slot().kind().text())
                                .toArray())
                .mapTo(Integer.class)
                .set();
    }

    private static long post(Done done) {
        var post = done.slot().post();
        return post == null ? 0 : post.value();
    }
}
