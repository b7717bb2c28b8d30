package io.hiroba.bench.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.SocialEvents;
import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Events that wait to become cards. */
record Load(String name, IntFunction<NewEvent> event) {

    static final int SIZE = 50_000;

    private static final Instant AT = Instant.parse("2026-06-01T12:00:00Z");

    /** Nothing to fold: the most expensive there is. */
    static final Load EACH_A_CARD = new Load(
            "50,000 likes of as many posts of 20,000 people: 50,000 cards",
            n -> like(Crowd.post(n), Crowd.author(n), Crowd.other(n)));

    static final Load SPREAD = new Load(
            "50,000 likes and follows for 20,000 people: 30,000 cards",
            n -> n < 2 * Crowd.AUTHORS
                    ? like(Crowd.post(n % Crowd.AUTHORS), Crowd.author(n), Crowd.other(n))
                    : SocialEvents.follow(new UserId(Crowd.other(n)), new UserId(Crowd.author(n)), AT));

    static final Load CELEBRITY =
            new Load("50,000 likes of one post: one card", n -> like(Crowd.post(0), Crowd.author(0), Crowd.other(n)));

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
