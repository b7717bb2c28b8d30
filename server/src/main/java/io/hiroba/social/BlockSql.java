package io.hiroba.social;

/** SQL conditions on blocks between users. */
final class BlockSql {

    private BlockSql() {}

    /**
     * The condition that neither of two people, given as SQL, blocks the other. It is evaluated row by row and never becomes
     * a join; see {@link PostCardStore}. Most people have no blocks, so whether {@code one}, which is constant, has any is
     * checked first and only once. The ORDER BY forces the index for that check.
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
