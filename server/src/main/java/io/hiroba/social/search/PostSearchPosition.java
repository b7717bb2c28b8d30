package io.hiroba.social.search;

import io.hiroba.platform.http.Cursor;

/**
 * A position in the results: right after the post with this score and id, in the window of matches below {@code below}.
 *
 * @param reached the lower bound of the window: posts below belong to the next one; {@value #UNKNOWN} before the first page
 *     of the window
 * @param first whether it is the first window, with the newest matches
 * @param parts whether it is among the posts that hold the words as parts of longer ones, which come last
 */
public record PostSearchPosition(long below, long reached, long score, long id, boolean first, boolean parts) {

    private static final long UNKNOWN = -1;

    /** Before the first result. */
    public static final PostSearchPosition START = before(Long.MAX_VALUE, true, false);

    /** Before the first post that holds the words as parts of longer ones. */
    static final PostSearchPosition PARTS = before(Long.MAX_VALUE, true, true);

    /** Before the first result among the posts below an id, where a window ended. */
    static PostSearchPosition window(long below) {
        return window(below, false);
    }

    static PostSearchPosition window(long below, boolean parts) {
        return before(below, false, parts);
    }

    private static PostSearchPosition before(long below, boolean first, boolean parts) {
        return new PostSearchPosition(below, UNKNOWN, Long.MAX_VALUE, Long.MAX_VALUE, first, parts);
    }

    public static PostSearchPosition of(Cursor cursor) {
        return new PostSearchPosition(
                cursor.number(0),
                cursor.number(1),
                cursor.number(2),
                cursor.number(3),
                cursor.number(4) == 1,
                cursor.number(5) == 1);
    }

    public Cursor cursor() {
        return Cursor.of(
                Long.toString(below),
                Long.toString(reached),
                Long.toString(score),
                Long.toString(id),
                first ? "1" : "0",
                parts ? "1" : "0");
    }

    /** Whether the lower bound of the window is not known yet. */
    boolean opensWindow() {
        return reached == UNKNOWN;
    }
}
