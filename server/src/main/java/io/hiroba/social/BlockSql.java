package io.hiroba.social;

/** SQL conditions on blocks between users. */
final class BlockSql {

    private BlockSql() {}

    /**
     * That neither of two people, given as SQL, blocks the other. It is asked row by row and never becomes a join, and
     * the planner takes it to be as often so as not; see {@link PostCardStore}. Most people block nobody and are blocked
     * by nobody: whether {@code one}, the same for all rows, does or is, is asked first, and once. An order leaves that
     * no other way than the index.
     */
    static String none(String one, String other) {
        return none("blocker_id", one, "blocked_id", other) + "\n  AND " + none("blocked_id", one, "blocker_id", other);
    }

    private static String none(String side, String one, String otherSide, String other) {
        return """
                CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.%1$s = %2$s ORDER BY b.%3$s LIMIT 1) IS NULL
                  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.%1$s = %2$s AND b.%3$s = %4$s), true) END
                """.formatted(side, one, otherSide, other).strip();
    }
}
