package io.hiroba.social.follow;

/** How much somebody does here, and how they and the reader stand to each other. */
public record Relation(
        int countPosts,
        int countFollowers,
        int countFollowees,
        boolean followedByMe,
        boolean followsMe,
        boolean blockedByMe,
        boolean blocksMe) {

    /** Whether either has blocked the other. */
    public boolean separated() {
        return blockedByMe || blocksMe;
    }

    /** As the blocked see it. */
    Relation withoutCounts() {
        return new Relation(0, 0, 0, followedByMe, followsMe, blockedByMe, blocksMe);
    }
}
