package io.hiroba.activity;

import io.hiroba.activity.CardChange.ActAdded;
import io.hiroba.platform.db.Tx;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Time zones and preferences of recipients, and the acts that their mutes and blocks suppress. */
final class RecipientStore {

    /** A recipient who has an account; {@code zone} is none where they have not set one. */
    record Recipient(@Nullable String zone, Set<String> mutedKinds) {}

    Map<Long, Recipient> find(Tx tx, Collection<Long> ids) {
        var recipients = new HashMap<Long, Recipient>();
        tx.query("""
                SELECT z.user_id, z.time_zone, p.muted_kinds
                FROM accounts.user_zone z
                LEFT JOIN activity.preferences p USING (user_id)
                WHERE z.user_id = ANY (:users)
                """)
                .bindArray("users", Long.class, ids.toArray())
                .map(row -> Map.entry(row.getLong("user_id"), recipient(row)))
                .forEach(entry -> recipients.put(entry.getKey(), entry.getValue()));
        return recipients;
    }

    private static Recipient recipient(ResultSet row) throws SQLException {
        @Nullable Array kinds = row.getArray("muted_kinds");
        return new Recipient(
                row.getString("time_zone"),
                kinds == null ? Set.of() : Set.copyOf(List.of((String[]) kinds.getArray())));
    }

    /** The positions in {@code acts}, from 1, of those that a mute or a block suppresses. */
    Set<Integer> suppressed(Tx tx, List<ActAdded> acts) {
        if (acts.isEmpty()) {
            return Set.of();
        }
        return tx.query("""
                WITH acts AS MATERIALIZED (
                    SELECT * FROM unnest(:users, :actors, :posts, :kinds)
                    WITH ORDINALITY AS a (user_id, actor_id, post_id, kind, n))
                SELECT a.n FROM acts a
                JOIN activity.muted_people m ON m.user_id = a.user_id AND m.person_id = a.actor_id
                UNION ALL
                SELECT a.n FROM acts a
                JOIN activity.muted_posts m ON m.user_id = a.user_id AND m.post_id = a.post_id
                WHERE CASE a.kind WHEN 'like' THEN m.likes WHEN 'reply' THEN m.replies ELSE m.likes AND m.replies END
                UNION ALL
                SELECT a.n FROM acts a
                JOIN social.separated s ON s.one = a.user_id AND s.other = a.actor_id
                UNION ALL
                SELECT a.n FROM acts a
                JOIN social.post_card p ON p.id = a.post_id
                JOIN social.separated s ON s.one = a.user_id AND s.other = p.owned_by
                WHERE a.kind = 'reply'
                """)
                .bindArray(
                        "users", Long.class, acts.stream().map(ActAdded::reader).toArray())
                .bindArray(
                        "actors",
                        Long.class,
                        acts.stream().map(added -> added.act().actor()).toArray())
                .bindArray(
                        "posts",
                        Long.class,
                        acts.stream().map(RecipientStore::post).toArray())
                .bindArray(
                        "kinds",
                        String.class,
                        acts.stream().map(added -> added.slot().kind().text()).toArray())
                .mapTo(Integer.class)
                .set();
    }

    private static long post(ActAdded added) {
        var post = added.slot().post();
        return post == null ? 0 : post.value();
    }
}
