package io.hiroba.social.search;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostCards;
import java.util.List;

/** The SQL of searching. */
final class PostSearchStore {

    /** Twice the relevance outweighs so many days of age. */
    private static final double HALF_LIFE_DAYS = 30;

    private static final int MOST_NAMESAKES = 100;

    /** The window is found once, and gives its bounds along with the page. */
    private static final String PAGE = """
            WITH found AS MATERIALIZED (
                SELECT post_id, score
                FROM social.search_window(
                    CASE WHEN :byAnyone THEN CAST(:matching AS tsquery)
                         ELSE CAST(:matching AS tsquery) && (
                             SELECT CAST(string_agg('''@' || social.hex(a.id) || '''', ' | ') AS tsquery)
                             FROM (SELECT t.id FROM unnest(:authors) AS t (id)
                                   UNION
                                   SELECT u.id FROM unnest(:nicknames) AS n (name)
                                   CROSS JOIN LATERAL (SELECT c.id FROM accounts.user_card c
                                                       WHERE LOWER(c.nickname) = LOWER(n.name)
                                                       LIMIT :namesakes) AS u) AS a)
                    END,
                    CAST(:ranking AS tsquery), :viewer, :below, :window, :halfLife))
            SELECT cards.*, bounds.newest, bounds.oldest, bounds.matches
            FROM (SELECT max(post_id) AS newest, min(post_id) AS oldest, count(*) AS matches FROM found) AS bounds
            CROSS JOIN (
            """ + PostCards.withContent("""
                SELECT f.post_id AS id, f.score AS sort_key
                FROM found f
                WHERE (f.score, f.post_id) < (:score, :after)
                ORDER BY f.score DESC, f.post_id DESC
                """ + PostCards.LIMIT) + """
            ) AS cards
            ORDER BY cards.sort_key DESC, cards.id DESC
            """;

    /**
     * A post that matches, and of which window it is one.
     *
     * @param newest the newest match of the window
     * @param oldest the oldest one
     * @param matches how many there are
     */
    record Hit(PostCard card, String content, long score, long newest, long oldest, int matches) {}

    List<Hit> search(Reads reads, UserId viewer, SearchQuery query, SearchPosition after, int window, int limit) {
        return PostCards.query(reads, PAGE, viewer)
                .bind("byAnyone", query.byAnyone())
                .bind("matching", query.matching())
                .bind("ranking", query.ranking())
                .bindArray(
                        "authors",
                        Long.class,
                        query.authors().stream().map(UserId::value).toArray())
                .bindArray("nicknames", String.class, query.nicknames().toArray())
                .bind("namesakes", MOST_NAMESAKES)
                .bind("below", after.below())
                .bind("window", window)
                .bind("halfLife", HALF_LIFE_DAYS)
                .bind("score", after.score())
                .bind("after", after.id())
                .bind("limit", limit)
                .map((row, ctx) -> new Hit(
                        PostCards.card(row, ctx),
                        row.getString("content"),
                        row.getLong("sort_key"),
                        row.getLong("newest"),
                        row.getLong("oldest"),
                        row.getInt("matches")))
                .list();
    }
}
