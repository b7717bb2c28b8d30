package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.events.CommitSignal.Appended;
import io.hiroba.testkit.RedisServer;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class RedisCommitSignalTest {

    private static final Appended LIKED = new Appended(Set.of(3, 200), Set.of("like"));

    @Test
    void aRingOnOneNodeIsHeardOnTheOther() {
        var here = new ConcurrentLinkedQueue<Appended>();
        var there = new ConcurrentLinkedQueue<Appended>();
        try (var redis = RedisServer.start();
                var first = RedisCommitSignal.connect(redis.url());
                var second = RedisCommitSignal.connect(redis.url())) {
            first.listen(here::add);
            second.listen(there::add);
            first.raise(LIKED);
            // Of which type the events are is not told: every consumer looks.
            await().untilAsserted(() -> assertThat(there).containsExactly(new Appended(Set.of(3, 200), Set.of())));
            assertThat(here).as("heard at home once, not again through Redis").containsExactly(LIKED);
        }
    }

    @Test
    void withoutRedisTheNodeStillHearsItself() {
        var here = new ConcurrentLinkedQueue<Appended>();
        var redis = RedisServer.start();
        try (var signal = RedisCommitSignal.connect(redis.url())) {
            signal.listen(here::add);
            redis.close();
            signal.raise(LIKED);
            assertThat(here).containsExactly(LIKED);
        }
    }

    @Test
    void aBellIsHeardAgainWhenRedisComesBack() {
        var there = new ConcurrentLinkedQueue<Appended>();
        var redis = RedisServer.start();
        try (var first = RedisCommitSignal.connect(redis.url());
                var second = RedisCommitSignal.connect(redis.url())) {
            second.listen(there::add);
            redis.close();
            try (var again = RedisServer.startOn(redis.port())) {
                assertThat(again.port()).isEqualTo(redis.port());
                await().until(() -> {
                    first.raise(LIKED);
                    return !there.isEmpty();
                });
            }
        }
    }
}
