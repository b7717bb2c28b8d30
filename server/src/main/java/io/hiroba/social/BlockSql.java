package io.hiroba.social;

/** The conditions that hang on who blocks whom. */
public final class BlockSql {

    private BlockSql() {}

    /**
     * That neither of two people, given as SQL, blocks the other. It is asked row by row and never becomes a join, and the
     * planner takes it to be as often so as not; see {@link PostCards}.
     */
    public static String none(String one, String other) {
        return """
                coalesce((SELECT false FROM social.user_blocks b WHERE b.blocker_id = %1$s AND b.blocked_id = %2$s), true)
                  AND coalesce((SELECT false FROM social.user_blocks b WHERE b.blocker_id = %2$s AND b.blocked_id = %1$s), true)
                """.formatted(one, other).strip();
    }
}
