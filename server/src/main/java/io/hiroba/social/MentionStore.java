package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The store of mentions; resolves names to users. */
final class MentionStore {

    /** Somebody who is mentioned. */
    record Mentioned(UserId id, String nickname) {}

    private static final Pattern ID = Pattern.compile("[0-7][0-9a-f]{15}");

    /** The most users of one nickname that are looked at; beyond it a user is mentioned by id. */
    private static final int MAX_NAMESAKES = 100;

    /**
     * Resolves those of {@code names} that are unambiguous: an id, a nickname of only one user, or of only one among those
     * the author follows. Users with a block between them and the author are not found.
     */
    Map<String, Mentioned> resolve(Reads reads, UserId author, Collection<String> names) {
        if (names.isEmpty()) {
            return Map.of();
        }
        var known = new HashMap<String, Mentioned>();
        reads.query("""
                WITH called AS (
                    SELECT n.name, u.id, u.nickname,
                           EXISTS (SELECT FROM social.user_follows f
                                   WHERE f.follower_id = :author AND f.followee_id = u.id) AS followed
                    FROM unnest(:names) AS n (name)
                    CROSS JOIN LATERAL (SELECT c.id, c.nickname FROM accounts.user_card c
                                        WHERE LOWER(c.nickname) = LOWER(n.name)
                                          AND %1$s
                                        LIMIT :namesakes) u
                    UNION ALL
                    SELECT n.name, u.id, u.nickname, true
                    FROM unnest(:idNames, :ids) AS n (name, id)
                    CROSS JOIN LATERAL (SELECT c.id, c.nickname FROM accounts.user_card c
                                        WHERE c.id = n.id
                                          AND %1$s) u),
                counted AS (
                    SELECT name, id, nickname, followed,
                           count(*) OVER (PARTITION BY name) AS all_of_them,
                           count(*) FILTER (WHERE followed) OVER (PARTITION BY name) AS followed_ones
                    FROM called)
                SELECT name, id, nickname FROM counted c
                WHERE all_of_them = 1 OR followed AND followed_ones = 1
                """.formatted(BlockSql.none(":author", "c.id")))
                .bind("author", author.value())
                .bind("namesakes", MAX_NAMESAKES)
                .bindArray("names", String.class, names)
                .bindArray(
                        "idNames",
                        String.class,
                        names.stream().filter(MentionStore::isId).toArray())
                .bindArray(
                        "ids",
                        Long.class,
                        names.stream()
                                .filter(MentionStore::isId)
                                .map(Ids::parse)
                                .toArray())
                .map(MentionStore::mentioned)
                .forEach(entry -> known.put(entry.getKey(), entry.getValue()));
        return known;
    }

    /** Of {@code agents} those that alone among them have one of {@code names}, unless a block is between them and the author. */
    Map<String, Mentioned> among(Reads reads, UserId author, Collection<UserId> agents, Collection<String> names) {
        var known = new HashMap<String, Mentioned>();
        reads.query("""
                SELECT n.name, max(c.id) AS id, max(c.nickname) AS nickname
                FROM unnest(:names) AS n (name)
                JOIN accounts.user_card c ON LOWER(c.nickname) = LOWER(n.name)
                WHERE c.id = ANY (:agents) AND %s
                GROUP BY n.name
                HAVING count(*) = 1
                """.formatted(BlockSql.none(":author", "c.id")))
                .bind("author", author.value())
                .bindArray("names", String.class, names)
                .bindArray("agents", Long.class, agents, UserId::value)
                .map(MentionStore::mentioned)
                .forEach(entry -> known.put(entry.getKey(), entry.getValue()));
        return known;
    }

    private static Map.Entry<String, Mentioned> mentioned(ResultSet row) throws SQLException {
        return Map.entry(
                row.getString("name"), new Mentioned(new UserId(row.getLong("id")), row.getString("nickname")));
    }

    private static boolean isId(String name) {
        return ID.matcher(name).matches();
    }

    /** The mentions of a post, by name. */
    Map<String, Mentioned> of(Reads reads, PostId post) {
        var known = new HashMap<String, Mentioned>();
        reads.query("""
                SELECT m.name, u.id, u.nickname
                FROM social.post_mentions m
                JOIN accounts.user_card u ON u.id = m.user_id
                WHERE m.post_id = :post
                """)
                .bind("post", post.value())
                .map(MentionStore::mentioned)
                .forEach(entry -> known.put(entry.getKey(), entry.getValue()));
        return known;
    }

    void replace(Tx tx, PostId post, Map<String, Mentioned> mentions) {
        // Inserts first: a user who is only spelled differently stays mentioned.
        insert(tx, post, mentions);
        tx.update("DELETE FROM social.post_mentions WHERE post_id = :post AND NOT name = ANY (:names)")
                .bind("post", post.value())
                .bindArray("names", String.class, mentions.keySet())
                .execute();
    }

    void insert(Tx tx, PostId post, Map<String, Mentioned> mentions) {
        if (mentions.isEmpty()) {
            return;
        }
        tx.update("""
                        INSERT INTO social.post_mentions (post_id, name, user_id)
                        SELECT :post, m.name, u.id FROM unnest(:names, :users) AS m (name, user_id)
                        JOIN accounts.user_card u ON u.id = m.user_id
                        FOR KEY SHARE OF u
                        ON CONFLICT (post_id, name) DO NOTHING
                        """)
                .bind("post", post.value())
                .bindArray("names", String.class, mentions.keySet())
                .bindArray(
                        "users",
                        Long.class,
                        mentions.values(),
                        user -> user.id().value())
                .execute();
    }
}
