package io.hiroba.social.search;

import io.hiroba.platform.http.Cursor;

/**
 * A place among the results: right after the post with this score and id, in the window of matches older than {@code
 * below}.
 */
public record SearchPosition(long below, long score, long id) {

    /** Before the first result. */
    public static final SearchPosition START = window(Long.MAX_VALUE);

    /** Before the first result among the posts below an id. */
    static SearchPosition window(long below) {
        return new SearchPosition(below, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    public static SearchPosition of(Cursor cursor) {
        return new SearchPosition(cursor.number(0), cursor.number(1), cursor.number(2));
    }

    public Cursor cursor() {
        return Cursor.of(Long.toString(below), Long.toString(score), Long.toString(id));
    }
}
