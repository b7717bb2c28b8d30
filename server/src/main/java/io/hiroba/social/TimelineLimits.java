package io.hiroba.social;

import java.time.Duration;

/**
 * The limits of timelines.
 *
 * @param size the newest entries that a timeline keeps: fifty pages
 * @param manyFollowers the posts of an author with as many followers are pulled when a feed is read
 * @param maxPulled how many such authors a reader has at most, since each makes their pages slower
 * @param away the timeline of a reader who did not come for so long is dropped
 */
public record TimelineLimits(int size, int manyFollowers, int maxPulled, Duration away) {

    public static final TimelineLimits DEFAULT = new TimelineLimits(1_000, 500, 4, Duration.ofDays(30));

    /** The number of entries above which a timeline is built anew. */
    int maxRows() {
        return size + size / 4 + 1;
    }
}
