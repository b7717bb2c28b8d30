package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.RedisServer;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class RedisCommitSignalTest {

    @Test
    void aRingOnOneNodeIsHeardOnTheOther() {
        var here = new ConcurrentLinkedQueue<Set<Integer>>();
        var there = new ConcurrentLinkedQueue<Set<Integer>>();
        try (var redis = RedisServer.start();
                var first = RedisCommitSignal.connect(redis.url());
                var second = RedisCommitSignal.connect(redis.url())) {
            first.listen(here::add);
            second.listen(there::add);
            first.raise(Set.of(3, 200));
            await().untilAsserted(() -> assertThat(there).containsExactly(Set.of(3, 200)));
            assertThat(here).as("heard at home once, not again through Redis").containsExactly(Set.of(3, 200));
        }
    }

    @Test
    void withoutRedisTheNodeStillHearsItself() {
        var here = new ConcurrentLinkedQueue<Set<Integer>>();
        var redis = RedisServer.start();
        try (var signal = RedisCommitSignal.connect(redis.url())) {
            signal.listen(here::add);
            redis.close();
            signal.raise(Set.of(9));
            assertThat(here).containsExactly(Set.of(9));
        }
    }

    @Test
    void aBellIsHeardAgainWhenRedisComesBack() {
        var there = new ConcurrentLinkedQueue<Set<Integer>>();
        var redis = RedisServer.start();
        try (var first = RedisCommitSignal.connect(redis.url());
                var second = RedisCommitSignal.connect(redis.url())) {
            second.listen(there::add);
            redis.close();
            try (var again = RedisServer.startOn(redis.port())) {
                assertThat(again.port()).isEqualTo(redis.port());
                await().until(() -> {
                    first.raise(Set.of(1));
                    return !there.isEmpty();
                });
            }
        }
    }
}
