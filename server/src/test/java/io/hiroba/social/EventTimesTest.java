package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Throttle;
import io.hiroba.testkit.TestSocial;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** That events tell the moments which the tables keep, though those are coarser than the clock. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventTimesTest {

    /** PostgreSQL rounds it up, to the next millisecond. */
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00.123999600Z"), ZoneOffset.UTC);

    private final TestSocial social = new TestSocial();
    private final EventLog events = new EventLog();
    private final SocialRateLimits limits =
            new SocialRateLimits(new Throttle(social.db, CLOCK), new SocialConfig(0, 0, 0));

    @AfterAll
    void close() {
        social.close();
    }

    @Test
    void theEventOfALikeHasItsTime() {
        var post = social.post(social.person("Ann"), "Hello");
        new Likes(social.db, CLOCK, events, limits).like(social.person("Ben"), post);
        assertThat(told("like")).isEqualTo(kept("social.post_likes"));
    }

    @Test
    void theEventOfAFollowHasItsTime() {
        var ann = social.person("Ann");
        new Follows(social.db, CLOCK, events, limits, social.accounts.users).follow(social.person("Ben"), ann.user());
        assertThat(told("follow")).isEqualTo(kept("social.user_follows"));
    }

    private long told(String type) {
        return social.db.read(
                reads -> reads.query("""
                        SELECT (payload ->> 'ts')::bigint FROM platform.event_logs WHERE payload ->> 'type' = :type
                        """).bind("type", type).mapTo(Long.class).one());
    }

    private long kept(String table) {
        return social.db.read(
                reads -> reads.query("SELECT floor(extract(epoch FROM created_at) * 1000)::bigint FROM " + table)
                        .mapTo(Long.class)
                        .one());
    }
}
