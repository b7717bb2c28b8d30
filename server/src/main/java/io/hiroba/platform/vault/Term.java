package io.hiroba.platform.vault;

import java.time.Duration;

/**
 * The time for which a token or lease is valid, by {@link System#nanoTime}.
 *
 * @param full what was granted at first; nothing if it does not end
 * @param end when it ends
 * @param due when it is to be renewed
 */
record Term(Duration full, boolean isRenewable, long end, long due) {

    static final Term ENDLESS = new Term(Duration.ZERO, false, 0, 0);

    private static final Duration FOR_EVER = Duration.ofDays(10_000);
    private static final Duration MIN_RETRY = Duration.ofSeconds(1);
    private static final Duration MAX_RETRY = Duration.ofSeconds(30);
    private static final Duration MIN_REMINDER = Duration.ofMinutes(1);
    private static final Duration MAX_REMINDER = Duration.ofDays(1);

    static Term of(Duration granted, boolean isRenewable) {
        return granted.isZero() ? ENDLESS : from(granted, granted, isRenewable);
    }

    /** For what does not end, but may have changed after a while. */
    static Term changingIn(Duration wait) {
        long now = System.nanoTime();
        return new Term(FOR_EVER, false, now + FOR_EVER.toNanos(), now + wait.toNanos());
    }

    private static Term from(Duration full, Duration granted, boolean isRenewable) {
        long now = System.nanoTime();
        return new Term(
                full,
                isRenewable,
                now + granted.toNanos(),
                now + granted.multipliedBy(2).dividedBy(3).toNanos());
    }

    boolean isEndless() {
        return full.isZero();
    }

    boolean isDue() {
        return !isEndless() && due - System.nanoTime() <= 0;
    }

    /** What is left of it, at least nothing. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    /** Whether a renewal for this long shows that the longest time is nearly reached, and another one is needed. */
    boolean isShort(Duration granted) {
        return granted.multipliedBy(2).compareTo(full) < 0;
    }

    Term renewed(Duration granted) {
        return from(full, granted, isRenewable);
    }

    /** The same, due again soon: the sooner, the less is left. */
    Term retried() {
        return later(MIN_RETRY, MAX_RETRY);
    }

    /** The same, for which nothing can be done but to say so now and then. */
    Term reminded() {
        return later(MIN_REMINDER, MAX_REMINDER);
    }

    private Term later(Duration shortest, Duration longest) {
        var wait = left().dividedBy(10);
        wait = wait.compareTo(shortest) < 0 ? shortest : wait.compareTo(longest) > 0 ? longest : wait;
        return new Term(full, isRenewable, end, System.nanoTime() + wait.toNanos());
    }
}
