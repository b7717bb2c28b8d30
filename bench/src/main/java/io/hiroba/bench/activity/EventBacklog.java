package io.hiroba.bench.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.SocialEvents;
import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** A backlog of events that become cards. */
record EventBacklog(String name, IntFunction<NewEvent> event) {

    static final int SIZE = 50_000;

    private static final Instant AT = Instant.parse("2026-06-01T12:00:00Z");

    /** The most expensive backlog: no two events fold into one card. */
    static final EventBacklog EACH_A_CARD = new EventBacklog(
            "50,000 likes of as many posts of 20,000 people: 50,000 cards",
            n -> like(ActivityData.post(n), ActivityData.author(n), ActivityData.other(n)));

    static final EventBacklog SPREAD = new EventBacklog(
            "50,000 likes and follows for 20,000 people: 30,000 cards",
            n -> n < 2 * ActivityData.AUTHORS
                    ? like(ActivityData.post(n % ActivityData.AUTHORS), ActivityData.author(n), ActivityData.other(n))
                    : SocialEvents.follow(new UserId(ActivityData.other(n)), new UserId(ActivityData.author(n)), AT));

    static final EventBacklog CELEBRITY = new EventBacklog(
            "50,000 likes of one post: one card",
            n -> like(ActivityData.post(0), ActivityData.author(0), ActivityData.other(n)));

    private static NewEvent like(long post, long owner, long by) {
        return NewEvent.of(owner, SocialEvents.LIKE)
                .with("postId", Ids.hex(post))
                .with("ownerId", Ids.hex(owner))
                .with("userId", Ids.hex(by))
                .with("ts", AT.toEpochMilli());
    }

    List<NewEvent> events() {
        return IntStream.range(0, SIZE).mapToObj(event).toList();
    }
}
