package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SQL fragments that turn the rows of a list into cards within the list's own statement: one round trip including the
 * reader's flags, and lookups only for the rows that are shown.
 *
 * <p>The plan of a list must not depend on statistics. All lookups are therefore subqueries that cannot become joins:
 * {@code OFFSET 0} is a barrier in FROM, and a scalar subquery in WHERE is always evaluated row by row, where EXISTS might be
 * planned as a hash of everything that the reader ever liked.
 */
public final class PostCardStore {

    /** The largest page, and one row that shows that there is a next page. */
    public static final int MAX_ROWS = 101;

    /** The columns of the post itself, {@code p}. */
    public static final String POST =
            "p.id, p.snippet, p.owned_by, p.reply_to, p.allow_likes, p.allow_replies, p.lang, p.updated_at";

    private static final String HITS = "WITH hits AS MATERIALIZED (";

    private static final String PARENT = """
            (SELECT o.nickname FROM social.posts q JOIN accounts.user_card o ON o.id = q.owned_by
             WHERE q.id = p.reply_to AND %s)""".formatted(BlockSql.none(":viewer", "q.owned_by"));

    private static final String CARDS = cards("card.*", PARENT);

    private static final String LOOKED_UP = from("social.posts p", "WHERE p.id = h.id");
    private static final String AT_HAND = from("(SELECT h.*) p", "");

    private static final String CONTENT = """
            , (SELECT content FROM social.post_details WHERE post_id = p.id) AS content
            """;

    private PostCardStore() {}

    /**
     * The first {@code :limit} of {@code rows}. The planner assumes that a bound LIMIT returns a tenth of the table and would plan each
     * call anew; the number in the text shows it the size of a page.
     */
    public static String page(String rows) {
        return "SELECT * FROM (\n%s\nLIMIT %d) AS page LIMIT :limit".formatted(rows.stripTrailing(), MAX_ROWS);
    }

    private static String cards(String columns, String parent) {
        return """
            )
            SELECT h.sort_key, %s
            FROM hits h
            CROSS JOIN LATERAL (
                SELECT p.id, p.snippet, p.owned_by, u.nickname, u.avatar, u.kind,
                       p.reply_to, %s AS parent_nickname,
                       p.allow_likes, p.allow_replies, p.lang, p.updated_at,
                       ARRAY(SELECT t.name FROM social.post_tags t WHERE t.post_id = p.id ORDER BY t.name) AS tags,
                       coalesce(c.count_likes, 0) + coalesce(d.likes, 0) AS count_likes,
                       coalesce(c.count_replies, 0) + coalesce(d.replies, 0) AS count_replies,
                       (SELECT true FROM social.post_likes l
                        WHERE l.post_id = p.id AND l.liked_by = :viewer) IS NOT NULL AS liked_by_me,
                       (SELECT true FROM social.posts r
                        WHERE r.owned_by = :viewer AND r.reply_to = p.id LIMIT 1) IS NOT NULL AS replied_by_me
            """.formatted(columns, parent);
    }

    private static String from(String post, String where) {
        return """
                    FROM %s
                    JOIN accounts.user_card u ON u.id = p.owned_by
                    LEFT JOIN social.post_counts c ON c.post_id = p.id
                    CROSS JOIN LATERAL (SELECT sum(s.likes) AS likes, sum(s.replies) AS replies
                                        FROM social.post_count_changes s WHERE s.post_id = p.id) d
                    %s
                    OFFSET 0) card
                """.formatted(post, where);
    }

    /**
     * The statement for the cards of {@code hits}, a query that yields {@code id} and {@code sort_key} for a page, in the order of the key
     * and then the id.
     */
    public static String newestFirst(String hits) {
        return HITS + hits + CARDS + LOOKED_UP + "ORDER BY h.sort_key DESC, h.id DESC";
    }

    /**
     * As {@link #newestFirst}, for hits that yield {@link #POST} and {@code sort_key}, so that no post is looked up twice.
     * They are root posts, so no parents are looked up.
     */
    public static String newestRoots(String hits) {
        return newestRoots(hits, "card.*");
    }

    /** As above; {@code columns} are those of {@code card} and more of the hits, {@code h}. */
    static String newestRoots(String hits, String columns) {
        return HITS + hits + cards(columns, "CAST(NULL AS varchar)") + AT_HAND + "ORDER BY h.sort_key DESC, h.id DESC";
    }

    /** As {@link #newestFirst}, in ascending order. */
    public static String oldestFirst(String hits) {
        return HITS + hits + CARDS + LOOKED_UP + "ORDER BY h.sort_key, h.id";
    }

    /** As {@link #newestFirst}, with the content of each post as {@code content}. */
    public static String withContent(String hits) {
        return HITS + hits + CARDS + CONTENT + LOOKED_UP + "ORDER BY h.sort_key DESC, h.id DESC";
    }

    /** The condition that no block is between {@code :viewer} and the person in the column {@code owner}. */
    public static String visible(String owner) {
        return visible(":viewer", owner);
    }

    /** As above, for a viewer who is given as SQL too. */
    public static String visible(String viewer, String owner) {
        return BlockSql.none(viewer, owner);
    }

    /** Starts a statement of this class; the parameters of the list are left to bind. */
    public static Query query(Reads reads, String sql, UserId viewer) {
        return reads.query(sql).bind("viewer", viewer.value());
    }

    public static List<Listed<PostCard>> list(Query query) {
        return query.map(PostCardStore::listed).list();
    }

    /** Reads a row of a statement of this class. */
    public static Listed<PostCard> listed(ResultSet row) throws SQLException {
        var card = card(row);
        return new Listed<>(
                card, new Position(row.getLong("sort_key"), card.id().value()));
    }

    /** As {@link #listed}, the card alone. */
    public static PostCard card(ResultSet row) throws SQLException {
        return new PostCard(
                new PostId(row.getLong("id")),
                row.getString("snippet"),
                Author.of(row, "owned_by"),
                parent(row),
                List.of((String[]) row.getArray("tags").getArray()),
                row.getBoolean("allow_likes"),
                row.getBoolean("allow_replies"),
                row.getString("lang"),
                Columns.instantOrNull(row, "updated_at"),
                row.getInt("count_likes"),
                row.getInt("count_replies"),
                row.getBoolean("liked_by_me"),
                row.getBoolean("replied_by_me"));
    }

    private static PostCard.@Nullable Parent parent(ResultSet row) throws SQLException {
        long id = row.getLong("reply_to");
        return row.wasNull() ? null : new PostCard.Parent(new PostId(id), row.getString("parent_nickname"));
    }
}
