package io.hiroba.social.search;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostCardStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The store of search results. */
final class PostSearchStore {

    /** The age that halves the score. */
    private static final double HALF_LIFE_DAYS = 30;

    private static final int MAX_NAMESAKES = 100;

    /** The window is materialised once and returns its bounds with the page, even if the page is empty. */
    static final String PAGE = """
            WITH query AS (
                SELECT CASE WHEN :byAnyone THEN CAST(:matching AS tsquery)
                            ELSE CAST(:matching AS tsquery) && a.anyone END AS matching,
                       CASE WHEN :byAnyone THEN CAST(:keys AS tsquery)
                            ELSE CAST(:keys AS tsquery) && a.anyone END AS keys
                FROM (SELECT CAST(string_agg('''@' || social.hex(t.id) || '''', ' | ') AS tsquery) AS anyone
                      FROM (SELECT i.id FROM unnest(:authors) AS i (id)
                            UNION
                            SELECT u.id FROM unnest(:nicknames) AS n (name)
                            CROSS JOIN LATERAL (SELECT c.id FROM accounts.user_card c
                                                WHERE LOWER(c.nickname) = LOWER(n.name)
                                                LIMIT :namesakes) AS u) AS t) AS a),
            found AS MATERIALIZED (
                SELECT w.post_id, w.score, w.reached
                FROM query
                CROSS JOIN LATERAL social.search_window(
                    query.matching, query.keys, CAST(:ranking AS tsquery), :viewer,
                    :below, :downTo, :window, :maxScanned, :halfLife) AS w)
            SELECT bounds.newest, bounds.reached,
                   cards.sort_key, cards.id, cards.snippet, cards.owned_by, cards.nickname, cards.avatar, cards.kind,
                   cards.reply_to, cards.parent_nickname, cards.allow_likes, cards.allow_replies, cards.lang,
                   cards.updated_at, cards.tags, cards.count_likes, cards.count_replies, cards.liked_by_me, cards.replied_by_me,
                   cards.content
            FROM (SELECT max(post_id) AS newest, max(reached) AS reached FROM found) AS bounds
            LEFT JOIN (
            """ + PostCardStore.withContent(PostCardStore.page("""
                SELECT f.post_id AS id, f.score AS sort_key
                FROM found f
                WHERE (f.score, f.post_id) < (:score, :after)
                ORDER BY f.score DESC, f.post_id DESC
                """)) + """
            ) AS cards ON true
            ORDER BY cards.sort_key DESC, cards.id DESC
            """;

    /** A matching post with its score. */
    record Hit(PostCard card, String content, long score) {}

    /**
     * A page of a window.
     *
     * @param newest the newest match of the window, if there is one
     * @param reached how far down it goes; 0 if there is nothing below
     */
    record Window(List<Hit> hits, long newest, long reached) {

        Window {
            hits = List.copyOf(hits);
        }
    }

    private record Row(@Nullable Hit hit, long newest, long reached) {}

    Window search(Reads reads, UserId viewer, PostSearchQuery query, PostSearchPosition after, int window, int limit) {
        return search(reads, viewer, query, query.wholeWords(), after, window, limit);
    }

    /** As above, with other words than those of the query. */
    Window search(
            Reads reads,
            UserId viewer,
            PostSearchQuery query,
            PostSearchQuery.Terms terms,
            PostSearchPosition after,
            int window,
            int limit) {
        var rows = PostCardStore.query(reads, PAGE, viewer)
                .bind("byAnyone", query.byAnyone())
                .bind("matching", terms.matching())
                .bind("keys", terms.keys())
                .bind("ranking", terms.ranking())
                .bindArray("authors", Long.class, query.authors(), UserId::value)
                .bindArray("nicknames", String.class, query.nicknames())
                .bind("namesakes", MAX_NAMESAKES)
                .bind("below", after.below())
                .bind("downTo", after.opensWindow() ? 0 : after.reached())
                .bind("window", window)
                // All pages of a window have the lower bound of the first, or new matches would come in between.
                .bind("maxScanned", after.opensWindow() ? window * PostSearch.MAX_SCANNED_PER_MATCH : Integer.MAX_VALUE)
                .bind("halfLife", HALF_LIFE_DAYS)
                .bind("score", after.score())
                .bind("after", after.id())
                .bind("limit", limit)
                .map(PostSearchStore::row)
                .list();
        var bounds = rows.getFirst();
        var hits = rows.stream().flatMap(row -> Stream.ofNullable(row.hit)).toList();
        return new Window(hits, bounds.newest, bounds.reached);
    }

    private static Row row(ResultSet row) throws SQLException {
        var content = row.getString("content");
        var hit = content == null ? null : new Hit(PostCardStore.card(row), content, row.getLong("sort_key"));
        return new Row(hit, row.getLong("newest"), row.getLong("reached"));
    }
}
